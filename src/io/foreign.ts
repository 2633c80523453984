import { latin1Text } from '#platform';

const PICKLE = 'It is not run. In pandas: `pd.read_pickle("FILE").to_csv("scores.csv")`.';
const TORCH =
  'It holds a pickle, which is not run. In Python: `import numpy, torch; numpy.save("scores.npy", torch.load("FILE", weights_only=True).numpy())`.';
const R_OBJECT = 'In R: `write.csv(readRDS("FILE"), "scores.csv")`.';
const R_DATA = 'In R: `write.csv(get(load("FILE")[1]), "scores.csv")`.';
const STATA = 'In pandas: `pd.read_stata("FILE").to_csv("scores.csv", index=False)`.';
const SQL =
  'Let a database run it and export the table: `sqlite3 -header -csv :memory: ".read FILE" "select * from TABLE" > scores.csv`.';

const DUMP = 'Load it into that database and export the table as CSV, with its names of columns.';

const HTML =
  'In pandas: `pd.read_html("FILE", header=0)[0].to_csv("scores.csv", index=False)`, which needs lxml; or save the table itself.';

const HTML_ROWS =
  'In pandas: `import io; pd.read_html(io.StringIO("<table>" + open("FILE").read() + "</table>"), header=0)[0].to_csv("scores.csv", index=False)`, which needs lxml.';

/** Files that are no table that is read, by how they begin, and what makes one of them that is. */
const BEGINNINGS: readonly (readonly [string, string, string])[] = [
  [
    'SQLite format 3\0',
    'an SQLite database',
    'Export the table: `sqlite3 -header -csv FILE "select * from TABLE" > scores.csv`.',
  ],
  [
    '\x89HDF\r\n',
    'an HDF5 file',
    'In pandas: `pd.read_hdf("FILE").to_csv("scores.csv")`, which needs the package tables.',
  ],
  ['\xd0\xcf\x11\xe0', 'an old Excel workbook (.xls)', 'Save it as .xlsx or CSV.'],
  ['\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.', 'saved by PyTorch', TORCH],
  ['\x80\x02', 'a pickle, which is a program', PICKLE],
  ['\x80\x03', 'a pickle, which is a program', PICKLE],
  ['\x80\x04', 'a pickle, which is a program', PICKLE],
  ['\x80\x05', 'a pickle, which is a program', PICKLE],
  ['BZh', 'packed with bzip2', 'Unpack it first: `bunzip2 FILE`.'],
  ['\xfd7zXZ\0', 'packed with xz', 'Unpack it first: `unxz FILE`.'],
  ['7z\xbc\xaf', 'a 7z archive', 'Unpack it first: `7z x FILE`.'],
  ['\x04"M\x18', 'packed with LZ4', 'Unpack it on the way: `lz4 -dc FILE | flavourbench -`.'],
  ['Obj\x01', 'an Avro file', 'Write it again as CSV or Parquet.'],
  ['ORC', 'an ORC file', 'Write it again as CSV or Parquet.'],
  ['RDX3\n', 'an R data file', R_DATA],
  ['RDX2\n', 'an R data file', R_DATA],
  ['X\n\0\0', 'an R object (.rds)', R_OBJECT],
  ['structure(list(', 'R code that makes a table (dput)', 'In R: `write.csv(dget("FILE"), "scores.csv")`.'],
  ['PRAGMA ', 'a script of SQL', SQL],
  ['BEGIN TRANSACTION;', 'a script of SQL', SQL],
  ['CREATE TABLE ', 'a script of SQL', SQL],
  ['INSERT INTO ', 'a script of SQL', SQL],
  ['-- MySQL dump', 'a dump of MySQL', DUMP],
  ['--\n-- PostgreSQL database dump', 'a dump of PostgreSQL', DUMP],
  [
    'FEA1',
    'a Feather file of version 1',
    'In pandas: `pd.read_feather("FILE").to_csv("scores.csv", index=False)`, which needs pyarrow.',
  ],
  ['<stata_dta>', 'a Stata file', STATA],
  ['r\x02\x01\0', 'a Stata file', STATA],
  ['s\x02\x01\0', 'a Stata file', STATA],
  ['%PDF', 'a PDF document', 'Give the table itself, as CSV for instance.'],
  ['\x89PNG', 'a picture', 'Give the table itself, as CSV for instance.'],
  ['<!DOCTYPE', 'an HTML page', HTML],
  ['<!doctype', 'an HTML page', HTML],
  ['<html', 'an HTML page', HTML],
  ['<table', 'a table of HTML', HTML],
  ['<tr', 'rows of a table of HTML', HTML_ROWS],
  ['<TR', 'rows of a table of HTML', HTML_ROWS],
  ['<TABLE', 'a table of HTML', HTML],
  ['<style', 'an HTML page', HTML],
  ['<div', 'an HTML page', HTML],
  ['<?xml', 'an XML document', 'Write it again as CSV, JSON or Parquet.'],
  ['version https://git-lfs', 'a pointer of Git LFS, not the file itself', 'Fetch the file: `git lfs pull`.'],
];

/** What a file is, and what makes a table of it that is read; FILE stands for its name. */
export interface ForeignKind {
  readonly what: string;
  readonly hint: string;
}

const OFFICE = 'Save the table in it as CSV or .xlsx.';

/** Archives that are one document, by a member that they have. */
const DOCUMENTS: readonly (readonly [RegExp, string, string])[] = [
  [/^content\.xml$/, 'an OpenDocument file (.ods, .odt)', OFFICE],
  [/^word\//, 'a Word document', OFFICE],
  [/^ppt\//, 'a presentation', OFFICE],
  [/^xl\/workbook\.bin$/, 'a binary Excel workbook (.xlsb)', 'Save it as .xlsx or CSV.'],
  [/^Index\/.*\.iwa$|^Index\.zip$/, 'a document of Numbers, Pages or Keynote', 'Export the table as CSV or .xlsx.'],
  [/(?:^|\/)data\.pkl$/, 'saved by PyTorch', TORCH],
];

/** Says what an archive is that is one document, by the names of its members. */
export function foreignArchive(members: readonly string[]): ForeignKind | undefined {
  const found = DOCUMENTS.find(([member]) => members.some((name) => member.test(name)));
  return found && { what: found[1], hint: found[2] };
}

/** Says what a file is that is none of those that are read, and what to do with it; undefined where it is text of no known kind. */
export function foreignKind(bytes: Uint8Array): ForeignKind | undefined {
  const begin = latin1Text(bytes, 0, Math.min(32, bytes.length));
  const found = BEGINNINGS.find(([start]) => begin.startsWith(start));
  if (found) return { what: found[1], hint: found[2] };
  if (/^.{6}\0\0\{"/s.test(begin))
    return {
      what: 'a file of safetensors: tensors, and no table',
      hint: 'In Python: `import numpy, safetensors.numpy as s; numpy.save("scores.npy", s.load_file("FILE")["NAME"])`.',
    };
  if (latin1Text(bytes, 8, Math.min(12, bytes.length)) === 'DUCK')
    return {
      what: 'a DuckDB database',
      hint: 'Export the table: `duckdb FILE "COPY TABLE_NAME TO \'scores.csv\'"`.',
    };
  if (latin1Text(bytes, 257, Math.min(262, bytes.length)) === 'ustar')
    return { what: 'a tar archive', hint: 'Unpack it first: `tar xf FILE`.' };
  return undefined;
}
