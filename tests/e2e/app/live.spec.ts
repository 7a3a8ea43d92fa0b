import { appScreens } from '#tests/e2e/support/app-screens.ts';
import { addDeployment, cardAt } from '#tests/e2e/support/deployments.ts';
import { gate } from '#tests/e2e/support/gate.ts';
import { ask } from '#tests/e2e/support/owner.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

test('changes made while the connection was lost appear after reconnecting', {
  tag: '@everyday',
}, async ({ openAs, databaseOf, location }) => {
  const client = await databaseOf('guard');
  const page = await openAs('guard');
  const back = gate();
  let cut = () => {};
  let sockets = 0;
  await page.routeWebSocket(/\/realtime\/v1\/websocket/, async (socket) => {
    sockets += 1;
    if (sockets > 1) await back.opened;
    socket.connectToServer();
    cut = () => void socket.close({ code: 1012 });
  });
  await page.goto('/deployments');
  await addDeployment(client, { location });
  await expect(cardAt(page, location)).toHaveCount(1);

  cut();
  await expect.poll(() => sockets).toBeGreaterThan(1);
  await addDeployment(client, { location, guard_name: 'Kou Dahn' });
  back.open();
  await expect(cardAt(page, location)).toHaveCount(2);
});

test('the first screen of the office gets changes after its rows have settled', {
  tag: '@everyday',
}, async ({ openAs, databaseOf, location }) => {
  const client = await databaseOf('ops');
  const { id } = await addDeployment(client, { location });
  const page = await openAs('admin');
  let loads = 0;
  page.on('response', (response) => {
    if (response.url().includes('/deployments?select')) loads += 1;
  });
  await page.goto('/admin');
  await expect(cardAt(page, location)).toHaveCount(1);
  // The second one is what the active subscription causes; later ones are caused by changes.
  await expect.poll(() => loads).toBe(2);
  await client.from('deployments').update({ guard_name: 'Sam Doe' }).eq('id', id).throwOnError();
  await expect(cardAt(page, location)).toContainText('Sam Doe');
});

test('changes before the subscription is ready appear once it is; returning to the screen doesn’t rejoin', {
  tag: '@long',
}, async ({ openAs, databaseOf, location }) => {
  const client = await databaseOf('ops');
  const page = await openAs('ops');
  const listening = gate();
  const joins: string[] = [];
  await page.routeWebSocket(/\/realtime\/v1\/websocket/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage(async (message) => {
      const topic = /live:deployments:\d+/.exec(message.toString())?.[0];
      if (topic && message.includes('phx_join')) {
        joins.push(topic);
        await listening.opened;
      }
      server.send(message);
    });
  });
  await page.goto(`/admin?q=${encodeURIComponent(location)}`);
  await expect(page.getByText('No deployments match')).toBeVisible();
  await expect.poll(() => joins).toHaveLength(1);
  await addDeployment(client, { location });
  listening.open();
  await expect(cardAt(page, location)).toHaveCount(1);

  const sidebar = page.locator('#sidebar');
  await sidebar.getByRole('link', { name: 'Sites', exact: true }).click();
  await expect(page.getByRole('table', { name: 'Sites' })).toBeVisible();
  await page.goBack();
  await expect(cardAt(page, location)).toHaveCount(1);
  await addDeployment(client, { location, guard_name: 'Kou Dahn' });
  await expect(cardAt(page, location)).toHaveCount(2);
  expect(joins).toHaveLength(1);
});

test('"Show older deployments" works while a live change reloads the list', {
  tag: '@long',
}, async ({ openAs, databaseOf, location }) => {
  const client = await databaseOf('guard');
  const many = Array.from({ length: 61 }, (_, day) => ({
    guard_name: `Guard ${day}`,
    location,
    shift_start: new Date(Date.UTC(2034, 0, 1 + day, 6)).toISOString(),
    shift_end: new Date(Date.UTC(2034, 0, 1 + day, 18)).toISOString(),
  }));
  expect((await client.from('deployments').insert(many)).error).toBeNull();
  const page = await openAs('guard');
  await page.goto('/deployments');
  await expect(cardAt(page, location)).toHaveCount(60);
  const more = page.getByRole('button', { name: 'Show older deployments' });
  await expect(more).not.toHaveAttribute('aria-busy', 'true');

  const held = gate();
  const sixty = /\/rest\/v1\/deployments\?.*limit=60\b/;
  const reloading = page.waitForRequest(sixty);
  await page.route(sixty, async (route) => {
    await held.opened;
    await route.continue();
  });
  await addDeployment(client, { location, shift_start: '2030-01-01', shift_end: '2030-01-02' });
  await reloading;
  await more.click();
  await expect(cardAt(page, location)).toHaveCount(62);
  held.open();
});

// The server asks PostgreSQL for each listener without a filter: at a shift change, for every phone and clock-in.
test('a guard’s phone listens to changes of its own rows alone', {
  tag: '@long',
}, async ({ openAs, url, dataDir }) => {
  const page = await openAs('guard', { viewport: { width: 360, height: 740 } });
  const heard = new Set<string>();
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      for (const [binding] of payload.toString().matchAll(/"table":"\w+"(,"filter":"\w+)?/g)) {
        heard.add(binding);
      }
    }),
  );
  for (const { as, path, ready } of appScreens) {
    if (as !== 'guard') continue;
    await page.goto(path);
    await ready(page, url);
  }
  await expect.poll(() => heard).toContain('"table":"attendance","filter":"user_id');
  const own = await ask(
    dataDir,
    `select format('"table":"%s"', tablename) as binding from pg_policies where cmd = 'SELECT' and qual like '%(user_id = ( SELECT auth.uid()%'`,
  );
  const unfiltered = own.filter(({ binding }) => heard.has(binding));
  expect(unfiltered).toEqual([]);
});
