// The part of s3rver that the tests use; the package has no types.
declare module 's3rver' {
  import type { IncomingMessage, Server, ServerResponse } from 'node:http';

  /** A context of Koa. */
  export interface StoreRequest {
    method: string;
    path: string;
    query: Record<string, string | undefined>;
    status: number;
    body: string;
    req: IncomingMessage;
    res: ServerResponse;
  }

  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      configureBuckets: { name: string; configs: string[] }[];
    });
    middleware: ((request: StoreRequest, next: () => Promise<void>) => Promise<void>)[];
    httpServer: Server;
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}
