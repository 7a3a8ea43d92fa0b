// Reads time and position from the Exif 2.32 metadata of a JPEG. We read four values of the format, so no library is loaded.

type Capture = {
  /** ISO 8601 in UTC. */
  takenAt: string | null;
  /** 'lat,lng' in degrees, the database's format. */
  gps: string | null;
};

const NOTHING: Capture = { takenAt: null, gps: null };
/** The metadata is at the start of the file; the rest is not read. */
const HEAD_BYTES = 256 * 1024;

const JPEG = 0xffd8;
const APP1 = 0xffe1;
/** Start of scan: the pixels follow. */
const SCAN = 0xffda;

const TAGS = { exif: 0x8769, gps: 0x8825, original: 0x9003, offset: 0x9011 } as const;
const GPS = { latRef: 1, lat: 2, lngRef: 3, lng: 4, time: 7, date: 0x1d } as const;
/** Bytes per value by type: 2 ASCII, 3 SHORT, 4 LONG, 5 RATIONAL. */
const SIZES = new Map([
  [2, 1],
  [3, 2],
  [4, 4],
  [5, 8],
]);

/** An image file directory (IFD) of the metadata. */
class Directory {
  readonly #view: DataView;
  readonly #little: boolean;
  readonly #entries = new Map<number, { type: number; count: number; at: number }>();

  constructor(view: DataView, little: boolean, at: number) {
    this.#view = view;
    this.#little = little;
    const count = view.getUint16(at, little);
    for (let index = 0; index < count; index += 1) {
      const entry = at + 2 + index * 12;
      const type = view.getUint16(entry + 2, little);
      const values = view.getUint32(entry + 4, little);
      const isInline = (SIZES.get(type) ?? 1) * values <= 4;
      const place = isInline ? entry + 8 : view.getUint32(entry + 8, little);
      this.#entries.set(view.getUint16(entry, little), { type, count: values, at: place });
    }
  }

  pointer(tag: number): number | undefined {
    const entry = this.#entries.get(tag);
    return entry && this.#view.getUint32(entry.at, this.#little);
  }

  text(tag: number): string {
    const entry = this.#entries.get(tag);
    if (entry?.type !== 2) return '';
    const bytes = new Uint8Array(this.#view.buffer, this.#view.byteOffset + entry.at, entry.count);
    return new TextDecoder('latin1').decode(bytes).split('\0', 1).join('').trim();
  }

  /** @returns three rationals: degrees or hours, minutes, seconds */
  triple(tag: number): [number, number, number] | undefined {
    const entry = this.#entries.get(tag);
    if (entry?.type !== 5 || entry.count !== 3) return undefined;
    const fraction = (index: number) =>
      this.#view.getUint32(entry.at + index * 8, this.#little) /
      this.#view.getUint32(entry.at + index * 8 + 4, this.#little);
    return [fraction(0), fraction(1), fraction(2)];
  }
}

/** @returns the TIFF block of the metadata, if any */
function recordIn(view: DataView): DataView | undefined {
  if (view.byteLength < 12 || view.getUint16(0) !== JPEG) return undefined;
  let at = 2;
  while (at + 10 < view.byteLength) {
    const marker = view.getUint16(at);
    if (marker === SCAN || marker < 0xff00) return undefined;
    const length = view.getUint16(at + 2);
    // "Exif", followed by two zero bytes.
    if (marker === APP1 && view.getUint32(at + 4) === 0x45786966) {
      return new DataView(view.buffer, view.byteOffset + at + 10);
    }
    at += 2 + length;
  }
  return undefined;
}

function degrees(place: Directory, tag: number, reference: number, negative: string) {
  const parts = place.triple(tag);
  if (!parts) return undefined;
  const size = parts[0] + parts[1] / 60 + parts[2] / 3600;
  return place.text(reference).toUpperCase() === negative ? -size : size;
}

function positionOf(place: Directory): string | null {
  const latitude = degrees(place, GPS.lat, GPS.latRef, 'S');
  const longitude = degrees(place, GPS.lng, GPS.lngRef, 'W');
  if (latitude === undefined || longitude === undefined) return null;
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
function gpsTime(place: Directory): string | null {
  const date = /^(\d{4}):(\d{2}):(\d{2})$/.exec(place.text(GPS.date));
  const time = place.triple(GPS.time);
  if (!date || !time) return null;
  const clock = time.map((part) => String(Math.floor(part)).padStart(2, '0')).join(':');
  return instantOf(`${date[1]}-${date[2]}-${date[3]}T${clock}Z`);
}

/** The camera's clock. Without an offset it is read in this device's time zone. */
function cameraTime(shot: Directory): string | null {
  const parts = /^(\d{4}):(\d{2}):(\d{2}) (\d{2}:\d{2}:\d{2})$/.exec(shot.text(TAGS.original));
  if (!parts) return null;
  const offset = /^[+-]\d{2}:\d{2}$/.exec(shot.text(TAGS.offset))?.[0] ?? '';
  return instantOf(`${parts[1]}-${parts[2]}-${parts[3]}T${parts[4]}${offset}`);
}

function read(record: DataView): Capture {
  const little = record.getUint16(0) === 0x4949;
  const open = (at: number) => new Directory(record, little, at);
  const main = open(record.getUint32(4, little));
  const shotAt = main.pointer(TAGS.exif);
  const placeAt = main.pointer(TAGS.gps);
  const place = placeAt === undefined ? undefined : open(placeAt);
  return {
    takenAt: (place && gpsTime(place)) ?? (shotAt === undefined ? null : cameraTime(open(shotAt))),
    gps: place ? positionOf(place) : null,
  };
}

/** @returns nulls for what the metadata lacks, or if it is damaged */
export async function readExif(file: Blob): Promise<Capture> {
  const head = new DataView(await file.slice(0, HEAD_BYTES).arrayBuffer());
  try {
    const record = recordIn(head);
    return record ? read(record) : NOTHING;
  } catch (error) {
    // Damaged: an offset points beyond the end.
    if (error instanceof RangeError) return NOTHING;
    throw error;
  }
}
