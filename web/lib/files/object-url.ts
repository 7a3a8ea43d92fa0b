import { useEffect, useState } from 'react';

/** @returns an address of the content for this page alone; undefined without content */
export function useObjectUrl(content: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!content) return;
    const objectUrl = URL.createObjectURL(content);
    setUrl(objectUrl);
    return () => {
      URL.revokeObjectURL(objectUrl);
      setUrl(undefined);
    };
  }, [content]);
  return url;
}
