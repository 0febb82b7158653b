//! Content codings: compressed forms of the bytes of an answer (RFC 9110, 8.4).

use std::io::{self, Write};
use std::ops::Range;

use crate::level::work::{Cancel, Cancelled, Price};

/// A form in which the bytes of an answer are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coding {
    /// As they are written.
    Identity,
    /// Deflate (RFC 1952), at level 4: a third of the time of the usual level 6 for a twentieth more bytes.
    Gzip,
    /// Zstandard (RFC 8878), at level 3.
    Zstd,
}

/// What a client and a cache know of a coding besides its bytes.
#[derive(Debug)]
pub struct CodingSpec {
    /// The coding.
    pub coding: Coding,
    /// Its name in `Content-Encoding`.
    pub name: &'static str,
    /// Grows by one whenever the compressed bytes change; part of the entity tags of compressed answers.
    pub revision: u32,
}

/// Every coding that compresses; of those that a client likes equally well, the first is used.
pub const CODINGS: &[CodingSpec] = &[
    CodingSpec { coding: Coding::Zstd, name: "zstd", revision: 1 },
    CodingSpec { coding: Coding::Gzip, name: "gzip", revision: 1 },
];

/// An answer whose most bytes are fewer is sent as it is: it fits into one packet in any form. The most that an answer
/// may have is several times what it has, so such an answer has about a kilobyte.
pub const MIN_BYTES: u64 = 6 << 10;

const GZIP_LEVEL: u32 = 4;
const ZSTD_LEVEL: i32 = 3;

/// Bytes between two looks at whether the job is cancelled: about a millisecond.
const PIECE: usize = 64 << 10;

/// Most bytes of the tables of a compressor.
const TABLES: u64 = 4 << 20;

/// What making a compressor takes.
const START_NANOS: u64 = 30_000;

impl Coding {
    /// Its row; the identity has none.
    pub fn spec(self) -> Option<&'static CodingSpec> {
        CODINGS.iter().find(|spec| spec.coding == self)
    }

    /// What compressing so many bytes takes, the result included.
    pub const fn price(self, bytes: u64) -> Price {
        match self {
            Self::Identity => Price { bytes: 0, nanos: 0 },
            Self::Gzip => Price { bytes: bytes + TABLES, nanos: START_NANOS + 15 * bytes },
            Self::Zstd => Price { bytes: bytes + TABLES, nanos: START_NANOS + 8 * bytes },
        }
    }

    /// The least and the most bytes of the coded form of a body of so many bytes.
    pub const fn bytes(self, body: Range<u64>) -> Range<u64> {
        match self {
            Self::Identity => body,
            // what cannot be compressed is sent in blocks that take a few bytes more
            Self::Gzip | Self::Zstd => 0..body.end + body.end / 1024 + 64,
        }
    }

    /// The compressed form of a body, in a block of its own size.
    ///
    /// # Errors
    /// [`Cancelled`] if the job is to end.
    pub fn encode(self, body: Vec<u8>, cancel: Cancel) -> Result<Vec<u8>, Cancelled> {
        let coded = match self {
            Self::Identity => return Ok(body),
            Self::Gzip => gzip(&body, cancel),
            Self::Zstd => zstd(&body, cancel),
        };
        // writing into memory does not fail, so an error is that of the cancellation
        coded.map(|coded| coded.as_slice().to_vec()).map_err(|_| Cancelled)
    }
}

fn gzip(body: &[u8], cancel: Cancel) -> io::Result<Vec<u8>> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(GZIP_LEVEL));
    write_pieces(body, &mut encoder, cancel)?;
    encoder.finish()
}

fn zstd(body: &[u8], cancel: Cancel) -> io::Result<Vec<u8>> {
    let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), ZSTD_LEVEL)?;
    // for a body that is known to be short it takes smaller tables
    encoder.set_pledged_src_size(Some(body.len() as u64))?;
    write_pieces(body, &mut encoder, cancel)?;
    encoder.finish()
}

fn write_pieces(body: &[u8], encoder: &mut impl Write, cancel: Cancel) -> io::Result<()> {
    for piece in body.chunks(PIECE) {
        cancel.check().map_err(|Cancelled| io::Error::from(io::ErrorKind::Interrupted))?;
        encoder.write_all(piece)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use sha2::{Digest, Sha256};

    use super::*;

    fn decode(coding: Coding, coded: &[u8]) -> Vec<u8> {
        match coding {
            Coding::Identity => coded.to_vec(),
            Coding::Gzip => {
                let mut body = vec![];
                flate2::read::GzDecoder::new(coded).read_to_end(&mut body).unwrap();
                body
            }
            Coding::Zstd => zstd::stream::decode_all(coded).unwrap(),
        }
    }

    /// A text that is neither uniform nor random, of many pieces.
    fn text() -> Vec<u8> {
        (0..40_000_u64).flat_map(|number| (number * number % 10_007).to_string().into_bytes()).collect()
    }

    #[test]
    fn each_coding_gives_the_same_body_back_in_fewer_bytes() {
        let text = text();
        assert!(text.len() > 2 * PIECE);
        for coding in [Coding::Gzip, Coding::Zstd] {
            let coded = coding.encode(text.clone(), Cancel::never()).unwrap();
            assert!(coded.len() < text.len() && coded.capacity() == coded.len(), "{coding:?}");
            assert_eq!(decode(coding, &coded), text, "{coding:?}");
            assert!(decode(coding, &coding.encode(vec![], Cancel::never()).unwrap()).is_empty(), "{coding:?}");
        }
        assert_eq!(Coding::Identity.encode(text.clone(), Cancel::when(&|| true)), Ok(text));
    }

    #[test]
    fn compressed_bytes_stay_as_they_are_while_their_revision_does() {
        for (spec, (revision, digest)) in CODINGS.iter().zip([(1, "98c7048fd51d295b"), (1, "23085a210e8ba795")]) {
            let coded = spec.coding.encode(text(), Cancel::never()).unwrap();
            let given =
                Sha256::digest(&coded).iter().take(8).fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
            assert_eq!((spec.revision, &*given), (revision, digest), "{}: raise its revision", spec.name);
        }
    }

    #[test]
    fn a_job_that_is_cancelled_ends_between_two_pieces() {
        for coding in [Coding::Gzip, Coding::Zstd] {
            let looks = std::cell::Cell::new(0);
            let stop = || looks.replace(looks.get() + 1) == 2;
            assert_eq!(coding.encode(text(), Cancel::when(&stop)), Err(Cancelled), "{coding:?}");
            assert_eq!(looks.get(), 3, "{coding:?}");
        }
    }
}
