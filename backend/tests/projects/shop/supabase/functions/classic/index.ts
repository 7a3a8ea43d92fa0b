// As functions were written at first.
import { serve } from 'https://deno.land/std@0.168.0/http/server.ts';

serve(
  () =>
    new Response(new Uint8Array([1, 2, 3]), {
      headers: { 'content-type': 'application/octet-stream' },
    }),
);
