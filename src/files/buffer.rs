//! Memory for one piece of a file after another, which lies as the pieces lie in the file.

use std::io;

use super::Pieces;

/// What a piece begins at in memory is as far from the last multiple of that many bytes as it is in the file: where the
/// two are askew, systems take three times as long to copy it.
const STRIDE: usize = 64;

/// A piece of a file, in memory that is kept for the next one.
///
/// ```
/// use canopy::files::Buffer;
/// let mut buffer = Buffer::default();
/// let file = b"one two".to_vec();
/// assert_eq!(buffer.read(&file, 4, 2)?, b"tw");
/// assert_eq!(buffer.read_on(&file, 1)?, b"two");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Buffer {
    bytes: Vec<u8>,
    begin: usize,
    end: usize,
    /// Where the piece begins in the file.
    at: u64,
}

impl Buffer {
    /// Reads `length` bytes from `at` on, in the place of what was read before.
    ///
    /// # Errors
    /// As for [`Pieces::read_at`].
    pub fn read(&mut self, pieces: &dyn Pieces, at: u64, length: usize) -> io::Result<&[u8]> {
        self.make_room(length + STRIDE);
        let (base, from) = (self.bytes.as_ptr().addr() % STRIDE, at % STRIDE as u64);
        self.begin = (usize::try_from(from).unwrap_or_default() + STRIDE - base) % STRIDE;
        (self.end, self.at) = (self.begin, at);
        self.read_on(pieces, length)
    }

    /// Reads `length` bytes more, which come behind the others; all of them are what is read then.
    ///
    /// # Errors
    /// As for [`Pieces::read_at`]; nothing is added then.
    pub fn read_on(&mut self, pieces: &dyn Pieces, length: usize) -> io::Result<&[u8]> {
        self.make_room(self.end + length);
        let at = self.at + (self.end - self.begin) as u64;
        pieces.read_at(at, self.bytes.get_mut(self.end..self.end + length).unwrap_or_default())?;
        self.end += length;
        Ok(self.bytes())
    }

    /// What is read.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.bytes.get(self.begin..self.end).unwrap_or_default()
    }

    /// Has room for that many bytes; what is there already is not cleared each time.
    fn make_room(&mut self, length: usize) {
        if self.bytes.len() < length {
            self.bytes.resize(length, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_lies_in_memory_as_it_lies_in_the_file() {
        let file: Vec<u8> = (0..=255).cycle().take(5000).collect();
        let mut buffer = Buffer::default();
        for (at, length, more) in
            [(0, 0, 0), (0, 5000, 0), (1, 64, 70), (63, 100, 1), (4095, 2, 900), (7, 1, 4000)]
        {
            let piece = buffer.read(&file, at as u64, length).unwrap();
            assert_eq!(piece, &file[at..at + length]);
            assert_eq!(piece.as_ptr().addr() % STRIDE, at % STRIDE);
            assert_eq!(buffer.read_on(&file, more).unwrap(), &file[at..at + length + more]);
            assert!(buffer.read_on(&file, 5001).is_err());
            assert_eq!(buffer.bytes(), &file[at..at + length + more]);
        }
    }
}
