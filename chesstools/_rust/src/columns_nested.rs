//! Columns of lists and of maps.

use std::sync::Arc;

use arrow_array::types::ArrowPrimitiveType;
use arrow_array::{Array, ArrayRef, ListArray, MapArray, StructArray};
use arrow_buffer::NullBuffer;
use arrow_schema::{ArrowError, DataType};

use crate::bits::Nulls;
use crate::columns::{take_offsets, Column, Numbers};
use crate::columns_texts::Texts;

/// Lists of values that are not null themselves. `items` takes the values of the list that is pushed next.
pub struct Lists<C> {
    pub items: C,
    offsets: Vec<i32>,
    nulls: Nulls,
}

impl<C: Default> Default for Lists<C> {
    fn default() -> Self {
        Lists { items: C::default(), offsets: vec![0], nulls: Nulls::default() }
    }
}

impl<C: Column + Length> Lists<C> {
    /// Pushes the items that were added.
    #[inline]
    pub fn push(&mut self) {
        self.offsets.push(self.items.length() as i32);
        self.nulls.push(true);
    }

    #[inline]
    pub fn push_null(&mut self) {
        self.offsets.push(self.items.length() as i32);
        self.nulls.push(false);
    }

    pub fn push_nulls(&mut self, count: usize) {
        self.offsets.resize(self.offsets.len() + count, self.items.length() as i32);
        self.nulls.push_many(false, count);
    }

    /// Pushes the items that were added; null where there are none.
    #[inline]
    pub fn join(&mut self) {
        let begun = self.items.length() as i32 > self.offsets[self.offsets.len() - 1];
        if begun {
            self.push();
        } else {
            self.push_null();
        }
    }
}

impl<C: Column> Column for Lists<C> {
    fn finish(&mut self, kind: &DataType) -> Result<ArrayRef, ArrowError> {
        let DataType::List(item) = kind else { return Err(other_type(kind)) };
        let items = self.items.finish(item.data_type())?;
        let offsets = take_offsets(&mut self.offsets, items.len());
        Ok(Arc::new(ListArray::try_new(item.clone(), offsets, items, self.nulls.finish())?))
    }
}

/// A column that tells how many rows it has.
pub trait Length {
    fn length(&self) -> usize;
}

impl Length for Texts {
    fn length(&self) -> usize {
        self.len()
    }
}

impl<T: ArrowPrimitiveType> Length for Numbers<T> {
    fn length(&self) -> usize {
        self.len()
    }
}

/// Maps from text to text, in the order in which the pairs were added; never null.
pub struct TextMaps {
    keys: Texts,
    values: Texts,
    offsets: Vec<i32>,
}

impl Default for TextMaps {
    fn default() -> Self {
        TextMaps { keys: Texts::default(), values: Texts::default(), offsets: vec![0] }
    }
}

impl TextMaps {
    /// A pair of the map that is pushed next.
    #[inline]
    pub fn add(&mut self, key: &str, value: &str) {
        self.keys.push(key);
        self.values.push(value);
    }

    /// Pushes the pairs that were added.
    #[inline]
    pub fn push(&mut self) {
        self.offsets.push(self.keys.len() as i32);
    }
}

impl Column for TextMaps {
    fn finish(&mut self, kind: &DataType) -> Result<ArrayRef, ArrowError> {
        let DataType::Map(entry, sorted) = kind else { return Err(other_type(kind)) };
        let DataType::Struct(fields) = entry.data_type() else { return Err(other_type(kind)) };
        let pairs: Vec<ArrayRef> = vec![Arc::new(self.keys.array()), Arc::new(self.values.array())];
        let entries = StructArray::try_new(fields.clone(), pairs, None::<NullBuffer>)?;
        let offsets = take_offsets(&mut self.offsets, entries.len());
        Ok(Arc::new(MapArray::try_new(entry.clone(), offsets, entries, None, *sorted)?))
    }
}

pub(crate) fn other_type(kind: &DataType) -> ArrowError {
    ArrowError::SchemaError(format!("a column has the type {kind}, which this module does not make"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::cast::AsArray;
    use arrow_array::types::Int32Type;
    use arrow_schema::Field;

    #[test]
    fn numbers_and_lists() {
        let mut lists = Lists::<Numbers<Int32Type>>::default();
        lists.items.push(1);
        lists.items.extend([2, 3].into_iter());
        lists.join();
        lists.join();
        lists.push();
        let array = lists.finish(&DataType::List(Arc::new(Field::new("item", DataType::Int32, true)))).unwrap();
        let list = array.as_list::<i32>();
        assert_eq!(list.value(0).as_primitive::<Int32Type>().values(), &[1, 2, 3]);
        assert_eq!((list.is_null(1), list.is_null(2), list.value(2).len()), (true, false, 0));
        assert!(lists.finish(&DataType::Utf8).is_err());
    }

    #[test]
    fn maps_keep_order_and_doubles() {
        let mut maps = TextMaps::default();
        maps.add("b", "1");
        maps.add("b", "2");
        maps.push();
        maps.push();
        let pair = vec![Field::new("key", DataType::Utf8, false), Field::new("value", DataType::Utf8, true)];
        let kind = DataType::Map(Arc::new(Field::new("entries", DataType::Struct(pair.into()), false)), false);
        let array = maps.finish(&kind).unwrap();
        assert_eq!((array.as_map().value(0).len(), array.as_map().value(1).len()), (2, 0));
    }
}
