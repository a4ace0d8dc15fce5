//! Columns of which all values are known words or moves: each row is a number until the column is finished, and still is where
//! the schema wants a dictionary.

use std::marker::PhantomData;
use std::sync::Arc;

use arrow_array::types::{ArrowDictionaryKeyType, Int16Type, Int8Type};
use arrow_array::{ArrayRef, DictionaryArray, PrimitiveArray, StringArray};
use arrow_buffer::{BooleanBuffer, NullBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType};

use crate::columns::Column;
use crate::columns_texts::Texts;
use crate::short::{Short, SHORT};
use crate::uci;

/// The words of a column.
pub trait Vocabulary {
    /// 127 at most; their order is that of their numbers.
    const WORDS: &'static [&'static str];
}

/// A row holds a word, or is null.
pub struct Words<V> {
    /// `NO_WORD` where the row is null.
    numbers: Vec<i8>,
    vocabulary: PhantomData<V>,
}

/// No word: the row is null.
pub const NO_WORD: i8 = -1;

impl<V> Default for Words<V> {
    fn default() -> Self {
        Words { numbers: Vec::new(), vocabulary: PhantomData }
    }
}

impl<V> Words<V> {
    /// The number of a word for each of several rows.
    #[inline]
    pub fn extend(&mut self, numbers: impl Iterator<Item = i8>) {
        self.numbers.extend(numbers);
    }

    /// The number of a word for each of `count` rows, at the given indices, ascending; all others are null.
    pub fn extend_few(&mut self, count: usize, numbers: impl Iterator<Item = (usize, i8)>) {
        let start = self.numbers.len();
        self.numbers.resize(start + count, NO_WORD);
        for (index, number) in numbers {
            self.numbers[start + index] = number;
        }
    }
}

impl<V: Vocabulary> Column for Words<V> {
    /// A dictionary with numbers of eight bits, or texts.
    fn finish(&mut self, kind: &DataType) -> Result<ArrayRef, ArrowError> {
        let room = self.numbers.len() + self.numbers.len() / 8;
        let mut numbers = std::mem::replace(&mut self.numbers, Vec::with_capacity(room));
        if !is_dictionary(kind, &DataType::Int8) {
            return texts(V::WORDS, &numbers).finish(kind);
        }
        let nulls = numbers.contains(&NO_WORD).then(|| valid(&numbers));
        // A null has some number too, for those who look words up before they look for nulls.
        numbers.iter_mut().for_each(|number| *number = (*number).max(0));
        dictionary::<Int8Type>(numbers, nulls, StringArray::from_iter_values(V::WORDS))
    }
}

fn valid(numbers: &[i8]) -> NullBuffer {
    NullBuffer::new(BooleanBuffer::collect_bool(numbers.len(), |row| numbers.get(row).is_some_and(|&number| number >= 0)))
}

fn is_dictionary(kind: &DataType, number: &DataType) -> bool {
    matches!(kind, DataType::Dictionary(found, word) if **found == *number && **word == DataType::Utf8)
}

fn dictionary<K: ArrowDictionaryKeyType>(
    numbers: Vec<K::Native>,
    nulls: Option<NullBuffer>,
    words: StringArray,
) -> Result<ArrayRef, ArrowError> {
    let numbers = PrimitiveArray::<K>::try_new(ScalarBuffer::from(numbers), nulls)?;
    Ok(Arc::new(DictionaryArray::try_new(numbers, Arc::new(words))?))
}

fn texts(words: &[&'static str], numbers: &[i8]) -> Texts {
    let mut texts = Texts::default();
    if numbers.iter().all(|&number| number == NO_WORD) {
        texts.push_nulls(numbers.len());
    } else if words.iter().all(|word| word.len() <= SHORT) {
        let shorts: Vec<Short> = words.iter().map(|word| Short::of(word)).collect();
        texts.extend_options(numbers.iter().map(|&number| shorts.get(number as usize).copied().unwrap_or(Short::EMPTY)));
    } else {
        numbers.iter().for_each(|&number| texts.push_option(words.get(number as usize).copied()));
    }
    texts
}

/// Moves in UCI form, none of them null: each row is a number as `uci::code` gives it until the column is finished.
#[derive(Default)]
pub struct Moves {
    codes: Vec<u16>,
}

impl Moves {
    #[inline]
    pub fn extend(&mut self, codes: impl Iterator<Item = u16>) {
        self.codes.extend(codes);
    }
}

impl Column for Moves {
    /// A dictionary with numbers of sixteen bits, or texts.
    fn finish(&mut self, kind: &DataType) -> Result<ArrayRef, ArrowError> {
        let room = self.codes.len() + self.codes.len() / 8;
        let codes = std::mem::replace(&mut self.codes, Vec::with_capacity(room));
        let mut texts = Texts::default();
        if !is_dictionary(kind, &DataType::Int16) {
            texts.extend(codes.into_iter().map(uci::text));
            return texts.finish(kind);
        }
        // The moves in the order in which they first come, and the place of each there.
        let mut places = vec![-1_i16; usize::from(uci::CODES)];
        let mut moves = Vec::new();
        let mut place = |code: u16| {
            let place = &mut places[usize::from(code)];
            if *place < 0 {
                *place = moves.len() as i16;
                moves.push(code);
            }
            *place
        };
        let numbers = codes.into_iter().map(&mut place).collect();
        texts.extend(moves.into_iter().map(uci::text));
        dictionary::<Int16Type>(numbers, None, texts.array())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::cast::AsArray;
    use arrow_array::{Array, StringArray};

    struct Sides;

    impl Vocabulary for Sides {
        const WORDS: &'static [&'static str] = &["kingside", "queenside"];
    }

    fn dictionary_type(number: DataType) -> DataType {
        DataType::Dictionary(Box::new(number), Box::new(DataType::Utf8))
    }

    fn words_of<K: ArrowDictionaryKeyType>(array: &ArrayRef) -> Vec<Option<String>> {
        let array = array.as_dictionary::<K>().downcast_dict::<StringArray>().unwrap();
        array.into_iter().map(|word| word.map(str::to_owned)).collect()
    }

    #[test]
    fn words_as_texts_and_as_a_dictionary() {
        let mut words = Words::<Sides>::default();
        let fill = |words: &mut Words<Sides>| {
            words.extend([1, NO_WORD].into_iter());
            words.extend_few(3, [(1, 0)].into_iter());
        };
        fill(&mut words);
        let array = words.finish(&DataType::Utf8).unwrap();
        let found: Vec<_> = array.as_string::<i32>().iter().collect();
        let wanted = [Some("queenside"), None, None, Some("kingside"), None];
        assert_eq!(found, wanted);
        fill(&mut words);
        let array = words.finish(&dictionary_type(DataType::Int8)).unwrap();
        assert_eq!(words_of::<Int8Type>(&array), wanted.map(|word| word.map(str::to_owned)));
        words.extend_few(2, std::iter::empty());
        assert_eq!(words.finish(&DataType::Utf8).unwrap().null_count(), 2);
    }

    #[test]
    fn moves_as_texts_and_as_a_dictionary() {
        let e2e4 = 12 | 28 << 6;
        let a7a8n = 48 | 56 << 6 | 2 << 12;
        let mut moves = Moves::default();
        moves.extend([e2e4, a7a8n, e2e4].into_iter());
        let array = moves.finish(&dictionary_type(DataType::Int16)).unwrap();
        assert_eq!(array.as_dictionary::<Int16Type>().keys().values(), &[0, 1, 0]);
        let found = words_of::<Int16Type>(&array);
        moves.extend([e2e4, a7a8n, e2e4].into_iter());
        let array = moves.finish(&DataType::Utf8).unwrap();
        let texts: Vec<_> = array.as_string::<i32>().iter().map(|text| text.map(str::to_owned)).collect();
        assert_eq!(texts, ["e2e4", "a7a8n", "e2e4"].map(|text| Some(text.to_owned())));
        assert_eq!(found, texts);
    }
}
