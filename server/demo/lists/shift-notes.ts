// What planners note on a shift.

export const SHIFT_NOTES: readonly string[] = [
  'Delivery expected before noon; check the waybill at the gate.',
  'VIP visit. Full uniform, no phone at the gate.',
  'Generator service in the morning; let the technicians in with their badges.',
  'Payday: extra patrols around the cash office.',
  'Heavy rain forecast. Take the rain coats from the store.',
  'New guard on this shift, shift commander to brief on the site orders.',
  'Keys to be handed over against signature.',
  'Camera 3 is out of order; patrol the back fence every hour.',
  'Client reports strangers near the fence. Stay alert.',
  'Radio check on the hour with the control room.',
];
