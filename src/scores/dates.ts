import type { CodedColumn } from '../io/coded.js';
import { asText } from './score-table.js';

const MONTH =
  '(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec|january|february|march|april|august|september|october|november|december)';
const DAYS = [
  '\\d{4}([-/])\\d{1,2}(?:\\1\\d{1,2})?',
  '\\d{4}\\.\\d\\d\\.\\d\\d',
  '\\d{1,2}([-/.])\\d{1,2}\\2\\d{4}',
  `(?:\\d{1,2}[. -]+)?${MONTH}[. -]+\\d{4}`,
  `${MONTH}\\.? \\d{1,2},? \\d{4}`,
];
const DATE = new RegExp(`^\\s*(?:${DAYS.join('|')})(?:(?:T|,? )\\d{1,2}:\\d\\d.*)?\\s*$`, 'i');

/** Tells whether a column holds dates, days or months, with a time of day or without: they name no model (reading 1.12). */
export const isDates = ({ values }: CodedColumn): boolean => values.every((value) => DATE.test(asText(value)));
