// Reads time and position from the Exif 2.32 metadata of a JPEG.
import { parse } from 'exifr/dist/mini.esm.mjs';
import { z } from 'zod';

type Capture = {
  /** ISO 8601 in UTC. */
  takenAt: string | null;
  /** 'lat,lng' in degrees, the database's format. */
  gps: string | null;
};

/** The metadata is at the start of the file; the rest is not read. */
const HEAD_BYTES = 256 * 1024;

const EXIF = { original: 0x9003, offset: 0x9011 } as const;
const GPS = { latRef: 1, lat: 2, lngRef: 3, lng: 4, time: 7, date: 0x1d } as const;
const OPTIONS = {
  ifd0: { pick: [] },
  exif: { pick: Object.values(EXIF) },
  gps: { pick: Object.values(GPS) },
  reviveValues: false,
  translateKeys: false,
  translateValues: false,
};

const text = z.string().catch('');
/** Degrees or hours, minutes, seconds. */
const triple = z.tuple([z.number(), z.number(), z.number()]).nullable().catch(null);
const tagsSchema = z.object({
  [EXIF.original]: text,
  [EXIF.offset]: text,
  [GPS.latRef]: text,
  [GPS.lat]: triple,
  [GPS.lngRef]: text,
  [GPS.lng]: triple,
  [GPS.time]: triple,
  [GPS.date]: text,
});
type Tags = z.infer<typeof tagsSchema>;

const degrees = ([whole, minutes, seconds]: [number, number, number], isNegative: boolean) =>
  (whole + minutes / 60 + seconds / 3600) * (isNegative ? -1 : 1);

function positionOf({ [GPS.lat]: lat, [GPS.lng]: lng, ...tags }: Tags): string | null {
  if (!lat || !lng) return null;
  const latitude = degrees(lat, tags[GPS.latRef].toUpperCase() === 'S');
  const longitude = degrees(lng, tags[GPS.lngRef].toUpperCase() === 'W');
  // Cameras without a GPS fix write zeros, or 0/0.
  const isReal =
    Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && (latitude !== 0 || longitude !== 0);
  return isReal ? `${latitude.toFixed(6)},${longitude.toFixed(6)}` : null;
}

function instantOf(text: string): string | null {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** Preferred, because GPS time is exact and in UTC. */
function gpsTime({ [GPS.date]: day, [GPS.time]: time }: Tags): string | null {
  const date = /^(\d{4}):(\d{2}):(\d{2})$/.exec(day);
  if (!date || !time) return null;
  const clock = time.map((part) => String(Math.floor(part)).padStart(2, '0')).join(':');
  return instantOf(`${date[1]}-${date[2]}-${date[3]}T${clock}Z`);
}

/** The camera's clock. Without an offset it is read in this device's time zone. */
function cameraTime(tags: Tags): string | null {
  const parts = /^(\d{4}):(\d{2}):(\d{2}) (\d{2}:\d{2}:\d{2})$/.exec(tags[EXIF.original]);
  if (!parts) return null;
  const offset = /^[+-]\d{2}:\d{2}$/.exec(tags[EXIF.offset])?.[0] ?? '';
  return instantOf(`${parts[1]}-${parts[2]}-${parts[3]}T${parts[4]}${offset}`);
}

/** @returns nulls for what the metadata lacks, or if it is damaged */
export async function readExif(file: Blob): Promise<Capture> {
  const head = await file.slice(0, HEAD_BYTES).arrayBuffer();
  // Fails for other types of files and for damaged ones, from which there is nothing to read.
  const found: unknown = await parse(head, OPTIONS).catch(() => undefined);
  const tags = tagsSchema.parse(found ?? {});
  return { takenAt: gpsTime(tags) ?? cameraTime(tags), gps: positionOf(tags) };
}
