import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = resolve('src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && file !== join('util', 'error.ts'))
  .map((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return { file, source: ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true) };
  });

/** The places of the code among the arguments of what makes an error. */
const CODE_AT: Readonly<Record<string, number>> = { fail: 0, failure: 0, checked: 4, FlavourError: 0 };
const CODE = /^[A-Z][A-Z0-9_]+$/;

const parts = (node: ts.Node): ts.Node[] => {
  const found: ts.Node[] = [];
  node.forEachChild((child) => void found.push(child, ...parts(child)));
  return found;
};

const nameOf = (node: ts.Node) =>
  (ts.isCallExpression(node) || ts.isNewExpression(node)) && ts.isIdentifier(node.expression)
    ? node.expression.text
    : undefined;

/** Codes that a source gives to errors: as texts, by either arm of a condition, or as the field `code` of options. */
function codesOf(source: ts.SourceFile): string[] {
  const given = parts(source).flatMap((node): ts.Node[] => {
    const at = CODE_AT[nameOf(node) ?? ''];
    const argument = at === undefined ? undefined : (node as ts.CallExpression).arguments?.[at];
    if (argument !== undefined) return [argument, ...parts(argument)];
    if (!ts.isPropertyAssignment(node) || node.name.getText() !== 'code') return [];
    return nameOf(node.parent.parent)?.startsWith('assert') ? [node.initializer] : [];
  });
  return given.flatMap((node) => (ts.isStringLiteral(node) && CODE.test(node.text) ? [node.text] : []));
}

/** Who wraps an error that stands elsewhere: these two are written anew with the documents of version 2. */
const REWRITTEN = new Set(['inference/plan.ts: misstated', 'inference/read-leaderboard.ts: wrong']);

/** Functions with parameters whose body is only a call of `fail`, or a throw of a `failure`; not those that an option wants. */
function privateMakers({ file, source }: (typeof files)[number]): string[] {
  return parts(source).flatMap((node) => {
    if (!ts.isFunctionDeclaration(node) && !ts.isArrowFunction(node) && !ts.isFunctionExpression(node)) return [];
    const variable = ts.isVariableDeclaration(node.parent) ? node.parent : undefined;
    const name = node.name?.getText() ?? variable?.name.getText();
    if (name === undefined || node.body === undefined || node.parameters.length === 0) return [];
    const statements = ts.isBlock(node.body) ? node.body.statements : [node.body];
    const [only, ...more] = statements;
    if (only === undefined || more.length > 0) return [];
    const made =
      ts.isExpressionStatement(only) || ts.isReturnStatement(only) || ts.isThrowStatement(only)
        ? only.expression
        : only;
    const called = made === undefined ? undefined : nameOf(made);
    const exported = /^export /.test(node.getText());
    const wraps = called === 'fail' || (called === 'failure' && (!exported || ts.isThrowStatement(only)));
    const decides = wraps && ts.isConditionalExpression((made as ts.CallExpression).arguments[0]!);
    return wraps && !decides ? [`${file}: ${name}`] : [];
  });
}

describe('errors', () => {
  it('each have a row in docs/errors.md, also those whose code is handed to a check', () => {
    const text = readFileSync(resolve('docs/errors.md'), 'utf8');
    const codes = new Set(files.flatMap(({ source }) => codesOf(source)));
    expect(codes.size).toBeGreaterThan(30);
    expect([...codes].filter((code) => !text.includes(`\`${code}\``)).sort()).toEqual([]);
  });

  it('are made where they happen: no function does nothing but call `fail`', () => {
    expect(files.flatMap(privateMakers).filter((maker) => !REWRITTEN.has(maker))).toEqual([]);
  });
});
