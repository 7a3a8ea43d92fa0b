// The build that reads JPEG only, and knows no names of tags.
declare module 'exifr/dist/mini.esm.mjs' {
  export { parse } from 'exifr';
}
