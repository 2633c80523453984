import { DuckDBInstance } from '@duckdb/node-api';

/*
 * node bench/scale/duckdb.js ANSWERS.jsonl THREADS
 *
 * What DuckDB takes to read the same lines, find the marker with three labels by a regular expression, and count answers by model. It reads no names,
 * no doubled labels, no second markers and no score: less than `rescore` does.
 */
const [file, threads] = process.argv.slice(2);
const instance = await DuckDBInstance.create(':memory:', { threads });
const connection = await instance.connect();
const marker = '(?i)FINAL_SELECTION\\s*:\\s*([A-H])\\s*,\\s*([A-H])\\s*,\\s*([A-H])';
const columns = "{model: 'VARCHAR', task_id: 'VARCHAR', status: 'VARCHAR', response: 'VARCHAR'}";
const answer = await connection.runAndReadAll(`
  SELECT model, count(*) AS answers, count(nullif(regexp_extract(response, '${marker}'), '')) AS found
  FROM read_json('${file}', format = 'newline_delimited', columns = ${columns}) GROUP BY model`);
const rows = answer.getRowObjectsJS();
const sum = (name) => rows.reduce((total, row) => total + Number(row[name]), 0);
console.log(JSON.stringify({ models: rows.length, answers: sum('answers'), found: sum('found') }));
connection.closeSync();
instance.closeSync();
