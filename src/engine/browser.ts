// The engine of a page: what index.ts is in Node, by the same names.
export * from './everywhere.js';
export { createBrowserEngine, createBrowserEngine as createEngine, type WebEngineOptions } from './web.js';
