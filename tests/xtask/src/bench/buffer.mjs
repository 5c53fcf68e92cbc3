// What isomorphic-git expects to be there.
export { Buffer } from 'buffer';
