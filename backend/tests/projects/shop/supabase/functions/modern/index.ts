// The `export default` style of newer functions.
export default {
  fetch: () =>
    new Response('made', {
      status: 201,
      headers: [
        ['content-type', 'text/plain'],
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
        ['access-control-allow-origin', 'https://odd.example'],
      ],
    }),
};
