/**
 * Best known costs of the instances of Curtois and Qu (2014), proven optimal up to 12, and the costs of their ejection
 * chain after 10 minutes. http://www.schedulingbenchmarks.org/nrp/
 */
export const BEST_KNOWN: Readonly<Record<string, number>> = {
  'instance-1': 607,
  'instance-2': 828,
  'instance-3': 1001,
  'instance-4': 1716,
  'instance-5': 1143,
  'instance-6': 1950,
  'instance-7': 1056,
  'instance-8': 1300,
  'instance-9': 439,
  'instance-10': 4631,
  'instance-11': 3443,
  'instance-12': 4040,
};

export const EJECTION_CHAIN: Readonly<Record<string, number>> = {
  'instance-1': 607,
  'instance-2': 923,
  'instance-3': 1003,
  'instance-4': 1719,
  'instance-5': 1439,
  'instance-6': 2344,
  'instance-7': 1284,
  'instance-8': 2529,
  'instance-9': 474,
  'instance-10': 4999,
  'instance-12': 5611,
};
