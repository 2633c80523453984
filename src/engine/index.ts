export * from './design.js';
export * from './engine.js';
