export { philox } from './philox';
