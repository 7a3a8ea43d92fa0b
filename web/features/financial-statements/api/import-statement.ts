// Adds the bundled sample statement.
import { useCallback } from 'react';
import { importSample } from '#web/lib/data/import-records.ts';

export const useImportStatement = () =>
  useCallback(async () => {
    const { sampleStatements } = await import('../sample.ts');
    return importSample(
      'financial_statements',
      sampleStatements,
      'Failed to import financial statement. It may already exist.',
    );
  }, []);
