// Adds the bundled sample loan accounts.
import { useCallback } from 'react';
import { importSample } from '#web/lib/data/import-records.ts';

export const useImportLoans = () =>
  useCallback(async () => {
    const { sampleLoans } = await import('../sample.ts');
    return importSample(
      'loans',
      sampleLoans,
      'Failed to import loan accounts. They may already exist.',
    );
  }, []);
