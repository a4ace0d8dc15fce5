//! Reads numbers and signs of a short ASCII form, one after the other.

/// What is left to read. Reading steps over what fits; what does not fit stays.
#[derive(Clone)]
pub struct Scan<'t> {
    rest: &'t [u8],
}

impl<'t> Scan<'t> {
    #[inline]
    pub fn new(text: &'t str) -> Scan<'t> {
        Scan { rest: text.as_bytes() }
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
    #[inline]
    pub fn number(&mut self, least: usize, most: usize) -> Option<i64> {
        let digits = self.rest.iter().take(most).take_while(|byte| byte.is_ascii_digit()).count();
        if digits < least {
            return None;
        }
        let (digits, rest) = self.rest.split_at(digits);
        self.rest = rest;
        Some(digits.iter().fold(0, |number, digit| number * 10 + i64::from(digit - b'0')))
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

    /// A number with a sign and decimals, both optional.
    pub fn decimal(&mut self, whole: usize, decimals: usize) -> Option<f64> {
        let negative = self.sign();
        self.unsigned_decimal(whole, decimals).map(|number| if negative { -number } else { number })
    }

    /// A number with a point and decimals, both together optional.
    pub fn unsigned_decimal(&mut self, whole: usize, decimals: usize) -> Option<f64> {
        let number = self.number(1, whole)?;
        let mut behind = self.clone();
        Some(match behind.decimals(1, decimals) {
            Some((part, unit)) => {
                *self = behind;
                exact(number, part, unit)
            }
            None => number as f64,
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
    fn decimals(&mut self, least: usize, most: usize) -> Option<(i64, i64)> {
        self.expect(b'.')?;
        let before = self.rest.len();
        let part = self.number(least, most)?;
        Some((part, 10i64.pow((before - self.rest.len()) as u32)))
    }

    /// A depth of up to three digits behind a comma or a slash, or nothing, and then the end.
    pub fn depth_to_end(&mut self) -> Option<Option<i16>> {
        let depth = if self.take(b',') || self.take(b'/') { Some(self.number(1, 3)? as i16) } else { None };
        self.at_end().then_some(depth)
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
        let mut scan = Scan::new("-12.345x");
        assert_eq!(scan.decimal(2, 3), Some(-12.345));
        assert!(scan.take(b'x') && scan.at_end());
        assert_eq!(Scan::new("5.").unsigned_decimal(2, 3), Some(5.0));
        assert_eq!(Scan::new("5.1").hundredths(2), None);
        assert_eq!(Scan::new("59").sixty(), Some(59));
        assert_eq!(Scan::new("60").sixty(), None);
        assert_eq!(Scan::new("5").thousandths(), Some(500));
        assert_eq!(Scan::new("0123").thousandths(), Some(12));
        assert_eq!(Scan::new("").depth_to_end(), Some(None));
        assert_eq!(Scan::new("/1234").depth_to_end(), None);
    }
}
