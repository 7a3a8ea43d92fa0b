import fc from 'fast-check';

/** Small random instances of the benchmark, as text. Many of them have people without any legal row. */
export const randomInstance = (most: { people: number; days: number; kinds: number }) =>
  fc
    .record({
      people: fc.integer({ min: 1, max: most.people }),
      days: fc.integer({ min: 1, max: most.days }),
      kinds: fc.integer({ min: 1, max: most.kinds }),
    })
    .chain(({ people, days, kinds }) => {
      const upTo = (max: number, min = 0) => fc.integer({ min, max });
      const kind = fc.integer({ min: 0, max: kinds - 1 }).map((index) => `S${index}`);
      const person = fc.integer({ min: 0, max: people - 1 }).map((index) => `P${index}`);
      const day = upTo(days - 1);
      const shift = fc.tuple(fc.constantFrom(360, 480, 720), fc.subarray([...Array(kinds).keys()]));
      const limits = fc.array(upTo(days), { minLength: kinds, maxLength: kinds });
      const numbers = fc.tuple(
        upTo(days * 600),
        upTo(days * 160),
        upTo(6, 1),
        upTo(3),
        upTo(3),
        upTo(2),
      );
      const request = fc.tuple(person, day, kind, upTo(9));
      const requests = fc.array(request, { maxLength: 6 });
      return fc.record({
        days: fc.constant(days),
        shifts: fc.array(shift, { minLength: kinds, maxLength: kinds }),
        staff: fc.array(fc.tuple(limits, numbers), { minLength: people, maxLength: people }),
        daysOff: fc.array(fc.tuple(person, day), { maxLength: 3 }),
        wanted: requests,
        unwanted: requests,
        cover: fc.array(fc.tuple(upTo(3), upTo(100), upTo(5)), {
          minLength: days * kinds,
          maxLength: days * kinds,
        }),
      });
    })
    .map(({ days, shifts, staff, daysOff, wanted, unwanted, cover }) => {
      const section = (name: string, lines: readonly unknown[][]) =>
        `SECTION_${name}\n${lines.map((line) => `${line.join(',')}\n`).join('')}\n`;
      const names = shifts.map((_, index) => `S${index}`);
      return [
        section('HORIZON', [[days]]),
        section(
          'SHIFTS',
          shifts.map(([minutes, next], index) => [
            names[index],
            minutes,
            next.map((other) => `S${other}`).join('|'),
          ]),
        ),
        section(
          'STAFF',
          staff.map(([limits, numbers], index) => [
            `P${index}`,
            limits.map((limit, kind) => `${names[kind]}=${limit}`).join('|'),
            ...numbers,
          ]),
        ),
        section('DAYS_OFF', daysOff),
        section('SHIFT_ON_REQUESTS', wanted),
        section('SHIFT_OFF_REQUESTS', unwanted),
        section(
          'COVER',
          cover.map((numbers, index) => [
            Math.floor(index / names.length),
            names[index % names.length],
            ...numbers,
          ]),
        ),
      ].join('');
    });
