// Why a clock event has no location, and why a record was corrected.

export const NO_LOCATION_REASONS: readonly string[] = [
  'No GPS signal under the gate roof.',
  'Location is switched off on this phone.',
  'Using the phone of the shift commander.',
];

export const CORRECTION_REASONS: readonly string[] = [
  'Forgot to clock out; confirmed by the shift commander.',
  'Phone was out of battery. Time taken from the occurrence book.',
  'No network at the site. Time taken from the gate log.',
  'Clocked in at the wrong time; the relief confirms the handover.',
];
