//! A column of the periods of time controls.

use std::sync::Arc;

use arrow_array::types::{Float64Type, Int32Type};
use arrow_array::{ArrayRef, StructArray};
use arrow_buffer::NullBuffer;
use arrow_schema::{ArrowError, DataType};

use crate::columns::{Column, Numbers};
use crate::columns_nested::{other_type, Length};
use crate::time_control::Period;

/// Periods, none of them null.
#[derive(Default)]
pub struct Periods {
    moves: Numbers<Int32Type>,
    seconds: Numbers<Float64Type>,
    increment: Numbers<Float64Type>,
    delay: Numbers<Float64Type>,
}

impl Periods {
    pub fn push(&mut self, period: Period) {
        self.moves.push_option(period.moves.map(|moves| moves as i32));
        self.seconds.push(period.seconds);
        self.increment.push(period.increment);
        self.delay.push(period.delay);
    }
}

impl Length for Periods {
    fn length(&self) -> usize {
        self.moves.len()
    }
}

impl Column for Periods {
    fn finish(&mut self, kind: &DataType) -> Result<ArrayRef, ArrowError> {
        let DataType::Struct(fields) = kind else { return Err(other_type(kind)) };
        let columns: [&mut dyn Column; 4] = [&mut self.moves, &mut self.seconds, &mut self.increment, &mut self.delay];
        let columns: Result<Vec<ArrayRef>, ArrowError> =
            columns.into_iter().zip(fields).map(|(column, field)| column.finish(field.data_type())).collect();
        Ok(Arc::new(StructArray::try_new(fields.clone(), columns?, None::<NullBuffer>)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time_control::TimeControl;
    use arrow_array::cast::AsArray;
    use arrow_array::Array;
    use arrow_schema::Field;

    #[test]
    fn periods_are_rows() {
        let mut periods = Periods::default();
        TimeControl::parse("40/7200:900+30").unwrap().periods().for_each(|period| periods.push(period));
        assert_eq!(periods.length(), 2);
        let field = |name: &str, kind| Field::new(name, kind, true);
        let fields = vec![
            field("moves", DataType::Int32),
            field("seconds", DataType::Float64),
            field("increment", DataType::Float64),
            field("delay", DataType::Float64),
        ];
        let array = periods.finish(&DataType::Struct(fields.into())).unwrap();
        let array = array.as_struct();
        assert_eq!(array.column(1).as_primitive::<Float64Type>().values(), &[7200.0, 900.0]);
        assert_eq!((array.column(0).is_null(0), array.column(0).is_null(1)), (false, true));
        assert!(periods.finish(&DataType::Utf8).is_err());
    }
}
