// Every kind of failure in a function.
const forever = new Promise<Response>(() => {});

const TROUBLES: Record<string, () => Response | Promise<Response>> = {
  none: () => new Response('fine'),
  throw: () => {
    throw new Error('thrown on purpose');
  },
  reject: () => {
    void Promise.reject(new Error('rejected on purpose'));
    return forever;
  },
  exit: () => Deno.exit(3),
  hang: () => forever,
  spin: () => {
    for (;;);
  },
  heap: () => {
    const kept: unknown[] = [];
    for (;;) kept.push({ text: 'x'.repeat(100) + kept.length });
  },
  buffers: async () => {
    const kept: Uint8Array[] = [];
    for (;;) {
      kept.push(new Uint8Array(8 * 1024 * 1024).fill(1));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  },
  nothing: () => Promise.resolve(undefined as never),
  halfway: () => {
    let sent = false;
    const body = new ReadableStream({
      pull: (controller) => {
        if (sent) throw new Error('aborted on purpose');
        sent = true;
        controller.enqueue(new TextEncoder().encode('half'));
      },
    });
    return new Response(body);
  },
  relay: () => new Response('no', { status: 418, headers: { 'x-relay-error': 'true' } }),
};

Deno.serve((request) => {
  const kind = new URL(request.url).searchParams.get('kind') ?? 'none';
  return TROUBLES[kind]?.() ?? new Response('unknown trouble', { status: 404 });
});
