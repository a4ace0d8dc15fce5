//! Reads numbers and signs of a short ASCII form, one after the other.

/// What is left to read. Reading steps over what fits; what does not fit stays.
#[derive(Clone)]
pub struct Scan<'t> {
    rest: &'t [u8],
}

impl<'t> Scan<'t> {
    #[inline]
    pub fn new(text: &'t str) -> Scan<'t> {
        Scan::of(text.as_bytes())
    }

    #[inline]
    pub fn of(bytes: &'t [u8]) -> Scan<'t> {
        Scan { rest: bytes }
    }

    /// What comes next.
    #[inline]
    pub fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    /// How many bytes are left.
    #[inline]
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    #[inline]
    pub fn at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// Whether nothing follows, or a blank, a comma or a semicolon.
    #[inline]
    pub fn at_break(&self) -> bool {
        matches!(self.rest.first(), None | Some(b' ' | b',' | b';'))
    }

    /// Steps over `byte`, if it is there.
    #[inline]
    pub fn take(&mut self, byte: u8) -> bool {
        match self.rest.split_first() {
            Some((&first, rest)) if first == byte => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    #[inline]
    pub fn expect(&mut self, byte: u8) -> Option<()> {
        self.take(byte).then_some(())
    }

    /// Steps over a sign; whether it is a minus.
    #[inline]
    pub fn sign(&mut self) -> bool {
        self.take(b'-') || {
            self.take(b'+');
            false
        }
    }

    /// The number that the digits here make, `most` of them at most; None where they are fewer than `least`.
    #[inline(always)]
    pub fn number(&mut self, least: usize, most: usize) -> Option<i64> {
        let mut number = 0;
        let mut digits = 0;
        while digits < most {
            match self.rest.get(digits) {
                Some(digit @ b'0'..=b'9') => number = number * 10 + i64::from(digit - b'0'),
                _ => break,
            }
            digits += 1;
        }
        if digits < least {
            return None;
        }
        self.rest = &self.rest[digits..];
        Some(number)
    }

    /// Two digits that make a number below 60.
    #[inline]
    pub fn sixty(&mut self) -> Option<i64> {
        self.number(2, 2).filter(|&number| number < 60)
    }

    /// Steps over digits; how many there were.
    #[inline]
    pub fn skip_digits(&mut self) -> usize {
        let digits = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.rest = &self.rest[digits..];
        digits
    }

    /// The first three decimals as thousandths; missing ones are 0.
    #[inline]
    pub fn thousandths(&mut self) -> Option<i64> {
        let before = self.rest.len();
        let number = self.number(1, 3)?;
        Some(number * [1, 100, 10, 1][(before - self.rest.len()) & 3])
    }

    /// A number with a point and decimals, both together optional; and whether they are there.
    #[inline]
    pub fn decimal(&mut self, whole: usize, decimals: usize) -> Option<(f64, bool)> {
        let number = self.number(1, whole)?;
        let mut behind = self.clone();
        Some(match behind.decimals(1, decimals) {
            Some((part, unit)) => {
                *self = behind;
                (exact(number, part, unit), true)
            }
            None => (number as f64, false),
        })
    }

    /// A number with an optional sign, a point and decimals.
    pub fn point_decimal(&mut self, whole: usize, decimals: usize) -> Option<f64> {
        let negative = self.sign();
        let number = self.number(1, whole)?;
        let (part, unit) = self.decimals(1, decimals)?;
        let number = exact(number, part, unit);
        Some(if negative { -number } else { number })
    }

    /// A number with an optional sign, a point and two decimals.
    pub fn hundredths(&mut self, whole: usize) -> Option<f64> {
        let negative = self.sign();
        let number = self.number(1, whole)?;
        let (part, unit) = self.decimals(2, 2)?;
        let number = exact(number, part, unit);
        Some(if negative { -number } else { number })
    }

    /// A point and decimals: their digits as a number, and 10 to the power of how many they are.
    #[inline]
    fn decimals(&mut self, least: usize, most: usize) -> Option<(i64, i64)> {
        self.expect(b'.')?;
        let before = self.rest.len();
        let part = self.number(least, most)?;
        Some((part, [1, 10, 100, 1000][(before - self.rest.len()) & 3]))
    }

    /// A depth of up to three digits behind a comma or a slash, or nothing.
    #[inline]
    pub fn depth(&mut self) -> Option<Option<i16>> {
        if self.take(b',') || self.take(b'/') {
            return Some(Some(self.number(1, 3)? as i16));
        }
        Some(None)
    }
}

/// The number nearest to whole + part / unit: one division of exact numbers rounds once, as reading the digits does.
fn exact(whole: i64, part: i64, unit: i64) -> f64 {
    (whole * unit + part) as f64 / unit as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let mut scan = Scan::new("12.345x");
        assert_eq!(scan.decimal(2, 3), Some((12.345, true)));
        assert!(scan.take(b'x') && scan.at_end());
        assert_eq!(Scan::new("5.").decimal(2, 3), Some((5.0, false)));
        assert_eq!(Scan::new("-5.12").hundredths(2), Some(-5.12));
        assert_eq!(Scan::new("5.1").hundredths(2), None);
        assert_eq!(Scan::new("59").sixty(), Some(59));
        assert_eq!(Scan::new("60").sixty(), None);
        assert_eq!(Scan::new("5").thousandths(), Some(500));
        assert_eq!(Scan::new("0123").thousandths(), Some(12));
        assert_eq!(Scan::new("").depth(), Some(None));
        assert_eq!(Scan::new("/12").depth(), Some(Some(12)));
        assert_eq!(Scan::new("/x").depth(), None);
    }
}
