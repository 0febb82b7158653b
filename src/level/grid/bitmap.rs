//! Bitmaps: rectangles of bits, packed into words.

/// A rectangle of bits, row by row, each row padded to whole words; bit 0 of a word is its leftmost column. The padding
/// is always zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bitmap {
    words: Vec<u64>,
    stride: usize,
    width: usize,
    height: usize,
}

impl Bitmap {
    /// All zero.
    pub fn new(width: usize, height: usize) -> Self {
        let stride = width.div_ceil(64);
        Self { words: vec![0; stride * height], stride, width, height }
    }

    /// A bitmap in memory that was used before. Its bits are arbitrary: the caller must write every word, padding
    /// included.
    pub(crate) fn over(mut words: Vec<u64>, width: usize, height: usize) -> Self {
        let stride = width.div_ceil(64);
        words.resize(stride * height, 0);
        Self { words, stride, width, height }
    }

    /// The number of words of a bitmap of this many columns and rows.
    pub(crate) const fn words_of(width: usize, height: usize) -> usize {
        width.div_ceil(64) * height
    }

    /// Gives up the bitmap and returns its memory, to be used again.
    pub(crate) fn into_words(self) -> Vec<u64> {
        self.words
    }

    /// Sets all bits to zero.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Columns.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    pub const fn height(&self) -> usize {
        self.height
    }

    /// The bit at column `x` of row `y`.
    pub fn get(&self, x: usize, y: usize) -> bool {
        debug_assert!(x < self.width && y < self.height);
        self.words[y * self.stride + x / 64] >> (x % 64) & 1 == 1
    }

    /// Sets the bit at column `x` of row `y` to one.
    pub fn set(&mut self, x: usize, y: usize) {
        debug_assert!(x < self.width && y < self.height);
        self.words[y * self.stride + x / 64] |= 1 << (x % 64);
    }

    /// Sets the bit at column `x` of row `y` to zero. Returns whether it was one.
    pub(crate) fn take(&mut self, x: usize, y: usize) -> bool {
        debug_assert!(x < self.width && y < self.height);
        let word = &mut self.words[y * self.stride + x / 64];
        let bit = 1 << (x % 64);
        let was_one = *word & bit != 0;
        *word &= !bit;
        was_one
    }

    /// Sets `length` bits of row `y` to one, from column `x` on.
    pub fn set_run(&mut self, x: usize, y: usize, length: usize) {
        self.change_run(x, y, length, |word, run| *word |= run);
    }

    /// Sets `length` bits of row `y` to zero, from column `x` on.
    pub fn clear_run(&mut self, x: usize, y: usize, length: usize) {
        self.change_run(x, y, length, |word, run| *word &= !run);
    }

    /// Calls `change` for each word that holds some of `length` bits of row `y`, from column `x` on, with a mask of
    /// these bits.
    #[inline]
    fn change_run(&mut self, x: usize, y: usize, length: usize, change: impl Fn(&mut u64, u64)) {
        debug_assert!(x + length <= self.width && y < self.height);
        let row = self.row_mut(y);
        let (mut x, end) = (x, x + length);
        while x < end {
            let bits = (64 - x % 64).min(end - x);
            change(&mut row[x / 64], (u64::MAX >> (64 - bits)) << (x % 64));
            x += bits;
        }
    }

    /// The words of row `y`.
    pub fn row(&self, y: usize) -> &[u64] {
        &self.words[y * self.stride..][..self.stride]
    }

    /// The words of row `y`, to write; the padding must stay zero.
    pub fn row_mut(&mut self, y: usize) -> &mut [u64] {
        &mut self.words[y * self.stride..][..self.stride]
    }

    /// The words of all rows, one row after the other.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The words of all rows, to write; the padding must stay zero.
    pub fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// A mask for the last word of a row: a one for each bit that is a column and not padding.
    pub const fn last_word_mask(&self) -> u64 {
        u64::MAX >> ((64 - self.width % 64) % 64)
    }

    /// The number of ones in the bitmap.
    pub fn count(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Bytes on the heap.
    pub const fn bytes(&self) -> usize {
        self.words.capacity() * 8
    }
}

/// The bit numbers of the ones of a word, in ascending order.
#[inline]
pub(crate) fn ones(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let bit = word.trailing_zeros();
            word &= word - 1;
            bit
        })
    })
}

/// Moves bit `i` to bit `2i` (Morton's interleaving with zeros).
pub(crate) const fn spread(bits: u32) -> u64 {
    let mut x = bits as u64;
    x = (x | x << 16) & 0x0000_ffff_0000_ffff;
    x = (x | x << 8) & 0x00ff_00ff_00ff_00ff;
    x = (x | x << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    x = (x | x << 2) & 0x3333_3333_3333_3333;
    (x | x << 1) & 0x5555_5555_5555_5555
}

/// Also sets the bits to the left and to the right of each set bit of a row.
pub(crate) fn widen(row: &mut [u64]) {
    let mut before = 0;
    for i in 0..row.len() {
        let word = row[i];
        let behind = row.get(i + 1).map_or(0, |next| next << 63);
        row[i] |= word << 1 | word >> 1 | before >> 63 | behind;
        before = word;
    }
}
