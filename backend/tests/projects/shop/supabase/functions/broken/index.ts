import { nothing } from 'npm:there-is-no-such-package-at-all@1';

Deno.serve(() => new Response(nothing()));
