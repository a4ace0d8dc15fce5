//! Facts to rows: one game becomes a row of games, its moves rows of plies, its findings rows of findings.
//! The counterpart of `chesstools/reference/rows.py`.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{ArrayRef, DictionaryArray, Int32Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, Schema, SchemaRef};

use crate::record::GameRecord;
use crate::rows_compared::ComparedRows;
use crate::rows_findings::{FindingRows, PlayerRows};
use crate::rows_games::GameRows;
use crate::rows_plies::PlyRows;
use crate::types::Finding;

/// Defines the columns of a table, in the order of its schema, but for `source`, which stands before them all.
macro_rules! table {
    ($(#[$about:meta])* $name:ident { $($column:ident: $kind:ty,)+ }) => {
        $(#[$about])*
        #[derive(Default)]
        pub struct $name {
            $(pub $column: $kind,)+
        }

        impl $crate::rows::Columns for $name {
            const NAMES: &'static [&'static str] = &[$(stringify!($column)),+];

            fn finish(&mut self, schema: &arrow_schema::Schema) -> Result<Vec<arrow_array::ArrayRef>, arrow_schema::ArrowError> {
                let mut fields = schema.fields().iter().skip(1).map(|field| field.data_type());
                let mut next = || fields.next().unwrap_or(&arrow_schema::DataType::Null);
                Ok(vec![$($crate::columns::Column::finish(&mut self.$column, next())?),+])
            }
        }
    };
}
pub(crate) use table;

/// The columns of one table.
pub trait Columns: Default {
    /// Their names, but for the first one, `source`.
    const NAMES: &'static [&'static str];

    /// The columns as arrays of the types that `schema` names; empty columns stay.
    fn finish(&mut self, schema: &Schema) -> Result<Vec<ArrayRef>, ArrowError>;
}

/// Something for each table.
#[derive(Clone, Debug, Default)]
pub struct Tables<T> {
    pub games: T,
    pub plies: T,
    pub findings: T,
    /// Who played the games that have findings: for those who show findings and want no more of games.
    pub players: T,
    /// What games are compared with each other by: for A860.
    pub compared: T,
}

/// Gathers the rows of the tables that are wanted.
pub struct Rows {
    schemas: Tables<Option<SchemaRef>>,
    source: Arc<StringArray>,
    games: GameRows,
    plies: PlyRows,
    findings: FindingRows,
    players: PlayerRows,
    compared: ComparedRows,
}

impl Rows {
    /// Tables with a schema are wanted. Fails where a schema has other columns than this module makes.
    pub fn new(schemas: Tables<Option<SchemaRef>>, source: &str) -> Result<Rows, ArrowError> {
        check::<crate::rows_games::GameColumns>(schemas.games.as_deref())?;
        check::<crate::rows_plies::PlyColumns>(schemas.plies.as_deref())?;
        check::<crate::rows_findings::FindingColumns>(schemas.findings.as_deref())?;
        check::<crate::rows_findings::PlayerColumns>(schemas.players.as_deref())?;
        check::<crate::rows_compared::ComparedColumns>(schemas.compared.as_deref())?;
        Ok(Rows {
            schemas,
            source: Arc::new(StringArray::from(vec![source])),
            games: GameRows::default(),
            plies: PlyRows::default(),
            findings: FindingRows::default(),
            players: PlayerRows::default(),
            compared: ComparedRows::default(),
        })
    }

    /// Adds a game with the findings for which `selected` is true.
    pub fn add_game(&mut self, game: &GameRecord, selected: impl Fn(&Finding) -> bool) {
        if self.schemas.games.is_some() {
            self.games.add(game);
        }
        if self.schemas.plies.is_some() {
            self.plies.add(game);
        }
        if self.schemas.compared.is_some() {
            self.compared.add(game);
        }
        if game.findings.is_empty() {
            return;
        }
        let mut any = false;
        for finding in game.findings.iter().filter(|finding| selected(finding)) {
            any = true;
            self.add_finding(finding, Some(game.game_index), game.profile);
        }
        if any && self.schemas.players.is_some() {
            self.players.add(game);
        }
    }

    /// Adds a finding that is selected; `game_index` is None outside of games.
    pub fn add_finding(&mut self, finding: &Finding, game_index: Option<i64>, profile: &str) {
        if self.schemas.findings.is_some() {
            self.findings.add(finding, game_index, profile);
        }
    }

    /// The rows so far, and a fresh start.
    pub fn finish(&mut self) -> Result<Batches, ArrowError> {
        Ok(Tables {
            games: self.schemas.games.as_ref().map(|schema| batch(&mut self.games.columns, schema, &self.source)).transpose()?,
            plies: self.schemas.plies.as_ref().map(|schema| batch(&mut self.plies.columns, schema, &self.source)).transpose()?,
            findings: self
                .schemas
                .findings
                .as_ref()
                .map(|schema| batch(&mut self.findings.columns, schema, &self.source))
                .transpose()?,
            players: self
                .schemas
                .players
                .as_ref()
                .map(|schema| batch(&mut self.players.columns, schema, &self.source))
                .transpose()?,
            compared: self
                .schemas
                .compared
                .as_ref()
                .map(|schema| batch(&mut self.compared.columns, schema, &self.source))
                .transpose()?,
        })
    }
}

fn check<C: Columns>(schema: Option<&Schema>) -> Result<(), ArrowError> {
    let Some(schema) = schema else { return Ok(()) };
    let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    if names.split_first() == Some((&"source", C::NAMES)) {
        return Ok(());
    }
    Err(ArrowError::SchemaError(format!("the columns {names:?} are not source and {:?}", C::NAMES)))
}

fn batch<C: Columns>(columns: &mut C, schema: &SchemaRef, source: &Arc<StringArray>) -> Result<RecordBatch, ArrowError> {
    let mut arrays = columns.finish(schema)?;
    let keys = Int32Array::from(vec![0; arrays[0].len()]);
    arrays.insert(0, Arc::new(DictionaryArray::<Int32Type>::try_new(keys, source.clone())?));
    RecordBatch::try_new(schema.clone(), arrays)
}

/// Rows of consecutive games. The workers number games from 0 in each stretch; `count_from` puts that right.
pub type Batches = Tables<Option<RecordBatch>>;

impl Batches {
    /// Adds `first_game` to every `game_index`.
    pub fn count_from(self, first_game: i64) -> Result<Batches, ArrowError> {
        let shift = |batch: Option<RecordBatch>| batch.map(|batch| shifted(batch, first_game)).transpose();
        Ok(Tables {
            games: shift(self.games)?,
            plies: shift(self.plies)?,
            findings: shift(self.findings)?,
            players: shift(self.players)?,
            compared: shift(self.compared)?,
        })
    }
}

/// Where `game_index` stands in every table.
const GAME_INDEX: usize = 1;

fn shifted(batch: RecordBatch, by: i64) -> Result<RecordBatch, ArrowError> {
    if by == 0 || batch.num_rows() == 0 {
        return Ok(batch);
    }
    let (schema, mut columns, _) = batch.into_parts();
    let numbers = columns[GAME_INDEX].as_primitive::<Int64Type>().clone();
    // With no one else to hold it the array is changed where it is.
    columns[GAME_INDEX] = columns[0].clone();
    columns[GAME_INDEX] = match numbers.unary_mut(|number| number + by) {
        Ok(numbers) => Arc::new(numbers),
        Err(numbers) => Arc::new(numbers.unary::<_, Int64Type>(|number| number + by)),
    };
    RecordBatch::try_new(schema, columns)
}
