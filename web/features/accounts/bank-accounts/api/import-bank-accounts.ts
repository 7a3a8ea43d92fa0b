// Adds the bundled sample bank account.
import { useCallback } from 'react';
import { importSample } from '#web/lib/data/import-records.ts';

export const useImportBankAccounts = () =>
  useCallback(async () => {
    const { sampleBankAccounts } = await import('../sample.ts');
    return importSample(
      'bank_accounts',
      sampleBankAccounts,
      'Failed to import bank account. It may already exist.',
    );
  }, []);
