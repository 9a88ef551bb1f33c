//! Numbers and texts as bytes, and back: the words that files which nobody else reads are written in.

/// A number that is mostly small.
pub fn small(bytes: &mut Vec<u8>, mut number: u64) {
    loop {
        let [low, ..] = (number & 127).to_le_bytes();
        number >>= 7;
        if number == 0 {
            return bytes.push(low);
        }
        bytes.push(low | 128);
    }
}

/// A number that may be of any size.
pub fn number(bytes: &mut Vec<u8>, number: u64) {
    bytes.extend(number.to_le_bytes());
}

/// A text, after its length.
pub fn text(bytes: &mut Vec<u8>, text: &str) {
    small(bytes, text.len() as u64);
    bytes.extend(text.as_bytes());
}

/// What may be there or not.
pub fn option<T>(bytes: &mut Vec<u8>, value: Option<T>, put: impl FnOnce(&mut Vec<u8>, T)) {
    bytes.push(u8::from(value.is_some()));
    if let Some(value) = value {
        put(bytes, value);
    }
}

/// What there may be any number of.
pub fn list<T>(bytes: &mut Vec<u8>, items: &[T], put: impl Fn(&mut Vec<u8>, &T)) {
    small(bytes, items.len() as u64);
    items.iter().for_each(|item| put(bytes, item));
}

/// What is left to be read of such bytes; each of its answers is `None` if that does not stand there.
#[derive(Debug, Clone)]
pub struct Decoder<'b>(pub &'b [u8]);

impl<'b> Decoder<'b> {
    /// That many bytes.
    pub fn take(&mut self, length: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    /// What [`small`] wrote.
    pub fn small(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let [byte] = *self.take(1)? else { return None };
            number |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Some(number);
            }
        }
        None
    }

    /// What [`number`] wrote.
    pub fn number(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_le_bytes)
    }

    /// What [`small`] wrote of a size.
    pub fn size(&mut self) -> Option<usize> {
        self.small()?.try_into().ok()
    }

    /// What [`text`] wrote.
    pub fn text(&mut self) -> Option<&'b str> {
        let length = self.size()?;
        std::str::from_utf8(self.take(length)?).ok()
    }

    /// A hash.
    pub fn hash(&mut self) -> Option<blake3::Hash> {
        blake3::Hash::from_slice(self.take(blake3::OUT_LEN)?).ok()
    }

    /// What [`option`] wrote.
    pub fn option<T>(&mut self, get: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        match self.take(1)? {
            [0] => Some(None),
            _ => get(self).map(Some),
        }
    }

    /// What [`list`] wrote.
    pub fn list<T>(&mut self, mut get: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let length = self.size()?;
        // A wrong length is found out by what it should count: memory is asked for as they come.
        let mut items = Vec::new();
        for _ in 0..length {
            items.push(get(self)?);
        }
        Some(items)
    }
}
