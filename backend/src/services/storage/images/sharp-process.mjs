// One process of images.ts: transforms one image after the other. Native work can only be stopped with its process.
import sharp from 'sharp';

/** Largest source, as in Supabase Storage; a small file may declare far more. */
const MAX_PIXELS = 50_000_000;
/** Largest result: the photo of a phone in its own size. */
const MAX_RESULT_PIXELS = 16_000_000;
/** For formats that take seconds for a megapixel or two. */
const MAX_SLOW_PIXELS = 2_500 * 2_500;
const SLOW = ['avif', 'gif'];

const FIT = { cover: 'cover', contain: 'inside', fill: 'fill' };
const QUALITY = 80;
/** Output formats by input format; JPEG for all others. */
const ORIGINAL_FORMATS = { jpeg: 'jpeg', png: 'png', webp: 'webp', gif: 'gif', heif: 'avif' };

sharp.cache(false);
sharp.concurrency(1);
// Only photo formats: none that reads other files, or interprets text or vector graphics.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadHeifBuffer',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadTiffBuffer',
  ],
});

function targetOf({ format, acceptsWebp }, sourceFormat) {
  if (format === 'avif' || format === 'webp') return format;
  if (acceptsWebp && format !== 'origin') return 'webp';
  return ORIGINAL_FORMATS[sourceFormat] ?? 'jpeg';
}

function resultPixels({ width, height }, source) {
  if (width !== undefined && height !== undefined) return width * height;
  if (width !== undefined) return (width * width * source.height) / source.width;
  if (height !== undefined) return (height * height * source.width) / source.height;
  return source.width * source.height;
}

/** Without what takes 10 to 30 s for 6 megapixels: AVIF's further efforts, a palette for PNG, GIF's best palette. */
function optionsOf(target, quality = QUALITY) {
  if (target === 'avif') return { quality, effort: 0 };
  if (target === 'gif') return { effort: 1 };
  return target === 'png' ? {} : { quality };
}

async function transform({ source, transform: { width, height, resize = 'cover', ...rest } }) {
  const pipeline = sharp(source, {
    limitInputPixels: MAX_PIXELS,
    sequentialRead: true,
    pages: 1,
    // As browsers do: shows images with a wrong checksum or a damaged end.
    failOn: 'none',
  });
  const { format, autoOrient } = await pipeline.metadata();
  const target = targetOf(rest, format);
  const limit = SLOW.includes(target) ? MAX_SLOW_PIXELS : MAX_RESULT_PIXELS;
  if (resultPixels({ width, height }, autoOrient) > limit) return { refusal: 'result' };
  const isSized = width !== undefined || height !== undefined;
  const upright = pipeline.autoOrient();
  const sized = isSized ? upright.resize({ width, height, fit: FIT[resize] }) : upright;
  const { data, info } = await sized
    .toFormat(target, optionsOf(target, rest.quality))
    .toBuffer({ resolveWithObject: true });
  return { data, type: `image/${info.format === 'heif' ? 'avif' : info.format}` };
}

const refusalOf = (error) => (/pixel limit/i.test(String(error)) ? 'source' : 'not an image');

// Also while native work runs, which an orderly exit would wait for.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', async (job) => {
  process.send(await transform(job).catch((error) => ({ refusal: refusalOf(error) })));
});
