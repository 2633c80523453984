export { FlavourError } from './util/error.js';
