//! Bytes of a body whose length is known before it is written.

use serde::Serialize;

/// A small value as JSON.
pub(crate) fn text(value: &(impl Serialize + ?Sized)) -> String {
    #[expect(clippy::expect_used, reason = "strings and numbers under fixed names always have a form as JSON")]
    serde_json::to_string(value).expect("it has a form as JSON")
}

/// Sets the length of a buffer. Its content is arbitrary.
pub(crate) fn resize(body: &mut Vec<u8>, bytes: usize) {
    if body.capacity() < bytes {
        // the system gives fresh memory as zeros, so no zeros are written here
        *body = vec![0; bytes];
    } else {
        body.resize(bytes, 0);
    }
}

/// Copies `bytes` to the front of `out` and returns the rest of `out`.
pub(crate) fn put<'a>(out: &'a mut [u8], bytes: &[u8]) -> &'a mut [u8] {
    let (front, rest) = out.split_at_mut(bytes.len());
    front.copy_from_slice(bytes);
    rest
}
