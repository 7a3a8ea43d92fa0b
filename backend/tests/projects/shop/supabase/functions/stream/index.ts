// Streams: a counter that continues on demand, or the request body in capitals.
const upper = () =>
  new TransformStream<string, string>({
    transform: (text, controller) => controller.enqueue(text.toUpperCase()),
  });

Deno.serve((request) => {
  if (request.method === 'POST' && request.body !== null) {
    const shouted = request.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(upper())
      .pipeThrough(new TextEncoderStream());
    return new Response(shouted, { headers: { 'content-type': 'text/event-stream' } });
  }
  let count = 0;
  const endless = new ReadableStream({
    pull: async (controller) => {
      count += 1;
      if (count > 1) await new Promise((resolve) => setTimeout(resolve, 5));
      controller.enqueue(new TextEncoder().encode(`data: ${count}\n\n`));
    },
    cancel: () => console.error('the reader left'),
  });
  return new Response(endless, { headers: { 'content-type': 'text/event-stream' } });
});
