import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button.tsx';
import { showError } from './toast.ts';

type CopyButtonProps = { text: string; label: string; className?: string };

export function CopyButton({ text, label, className }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  const Icon = isCopied ? Check : Copy;
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      // The browser refused, or the page is not served over HTTPS.
      showError('Not copied', 'Please select the text and copy it yourself.');
    }
  }
  return (
    <Button variant="secondary" className={className} onClick={copy}>
      <Icon aria-hidden="true" className="size-4" />
      <span aria-live="polite">{isCopied ? 'Copied' : label}</span>
    </Button>
  );
}
