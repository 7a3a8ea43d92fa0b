import { StartError } from '../../../start-error.ts';

export interface S3Address {
  endpoint: string;
  region: string;
  bucket: string;
  /** Of every key; empty or ending in a slash. */
  prefix: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
}

const FORM = 's3://key:secret@host:port/bucket?region=us-east-1&ssl=on';

/**
 * Parses STORAGE_URL: s3://key:secret@host[:port]/bucket[/prefix][?region=…&ssl=on|off]. Key and secret are
 * percent-encoded; TLS is on by default.
 * @throws StartError, without the secret
 */
export function readStorageUrl(text: string): S3Address {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const [bucket = '', ...folders] = url?.pathname.split('/').slice(1) ?? [];
  if (url === undefined || url.protocol !== 's3:' || url.hostname === '' || bucket === '') {
    throw new StartError(`STORAGE_URL is not valid. Write it like ${FORM}`);
  }
  const ssl = url.searchParams.get('ssl') ?? 'on';
  if (ssl !== 'on' && ssl !== 'off') {
    throw new StartError('STORAGE_URL: ssl must be on or off.');
  }
  const prefix = folders.filter((folder) => folder !== '').join('/');
  return {
    endpoint: `${ssl === 'on' ? 'https' : 'http'}://${url.host}`,
    region: url.searchParams.get('region') ?? 'us-east-1',
    bucket: decodeURIComponent(bucket),
    prefix: prefix === '' ? '' : `${decodeURIComponent(prefix)}/`,
    credentials: {
      accessKeyId: decodeURIComponent(url.username),
      secretAccessKey: decodeURIComponent(url.password),
    },
  };
}
