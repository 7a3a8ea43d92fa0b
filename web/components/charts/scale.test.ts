import { describe, expect, it } from 'vitest';
import { labelStep, ticksFor } from './scale.ts';

describe('grid lines', () => {
  it.each([
    { figures: [3, 7, 18], ticks: [0, 5, 10, 15, 20] },
    { figures: [-400, 1300], ticks: [-500, 0, 500, 1000, 1500] },
    { figures: [-3, -1], ticks: [-3, -2, -1, 0] },
    { figures: [0.3], ticks: [0, 0.1, 0.2, 0.30000000000000004] },
    { figures: [0, 0], ticks: [0, 1] },
    { figures: [], ticks: [0, 1] },
  ])('enclose $figures and zero', ({ figures, ticks }) => {
    expect(ticksFor(figures)).toEqual(ticks);
  });
});

describe('group labels', () => {
  const hours = Array.from({ length: 24 }, (_, hour) => `${hour} AM`);

  it('are shown for every group where there is room', () => {
    expect(labelStep(['Jan', 'Feb', 'Mar'], 300)).toBe(1);
  });

  it('are skipped on a phone', () => {
    expect(labelStep(hours, 280)).toBe(5);
  });
});
