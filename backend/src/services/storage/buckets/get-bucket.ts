// GET /bucket/{id}
import { asCaller } from '../database.ts';
import { bucketNameOf } from '../input/names.ts';
import type { Endpoint } from '../service.ts';
import { findBucket, shown } from './bucket.ts';

export const getBucket: Endpoint = async (service, request, _reply, visitor) =>
  shown(await findBucket(asCaller(service, visitor), bucketNameOf(request)));
