import { invalidPath } from '../errors/catalogue.ts';
import { decodePart } from './decode.ts';

export type Target =
  | { kind: 'root' }
  | { kind: 'table'; name: string }
  | { kind: 'call'; name: string };

/**
 * @param path below the service's prefix, with a leading slash, still encoded
 * @throws RestError PGRST125
 */
export function readTarget(path: string): Target {
  const [, first = '', second, ...more] = path.split('/');
  if (more.length > 0) throw invalidPath();
  if (first === '' && second === undefined) return { kind: 'root' };
  const name = decodePart(first);
  if (second === undefined || second === '') {
    if (name === '' || name === 'rpc') throw invalidPath();
    return { kind: 'table', name };
  }
  if (name !== 'rpc') throw invalidPath();
  return { kind: 'call', name: decodePart(second) };
}
