export * from './everywhere.js';
export * from './node.js';
