// Labels of attendance.flags.

const FLAG_LABELS: Readonly<Record<string, string>> = {
  outside_fence: 'Outside the fence',
  no_location: 'No location',
  location_imprecise: 'Location not exact',
  location_old: 'Location was old',
  sent_late: 'Sent late',
  entered_by_guard: 'Entered by the guard',
  device_clock: 'Clock of the phone was wrong',
  overlaps: 'Overlaps another record',
  overtaken: 'Arrived after the next clock-in',
  left_early: 'Left early',
  reopened: 'Clocked out by mistake',
  way_not_accepted: 'Way of clocking not accepted here',
  ways_differ: 'Two ways of clocking, different times',
};

/** @returns the flag in words; a flag of a newer server as it is */
export const flagLabel = (flag: string): string => FLAG_LABELS[flag] ?? flag.replaceAll('_', ' ');
