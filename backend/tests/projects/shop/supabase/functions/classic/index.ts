// The `serve` of deno.land/std, as in early functions.
import { serve } from 'https://deno.land/std@0.168.0/http/server.ts';

serve(
  () =>
    new Response(new Uint8Array([1, 2, 3]), {
      headers: { 'content-type': 'application/octet-stream' },
    }),
);
