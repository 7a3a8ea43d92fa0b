// The layout of every mail, in HTML and plain text.
import type { Organisation } from '../organisation.ts';
import type { Mail } from './mailer.ts';

export interface Message {
  subject: string;
  heading: string;
  /** Plain sentences, one paragraph each. */
  paragraphs: string[];
  button?: { label: string; link: string };
  /** A code to type in, in large digits. */
  code?: string;
  closing: string;
}

const NAMES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => NAMES[character] ?? character);
}

function plain(message: Message, sender: Organisation): string {
  return [
    message.heading,
    ...message.paragraphs,
    ...(message.button ? [`${message.button.label}: ${message.button.link}`] : []),
    ...(message.code === undefined ? [] : [message.code]),
    message.closing,
    `${sender.name}\n${sender.addressLabel}\n${sender.hotline}`,
  ].join('\n\n');
}

function html(message: Message, sender: Organisation): string {
  const paragraph = (text: string): string =>
    `<p style="margin:0 0 16px;line-height:1.5">${escapeHtml(text)}</p>`;
  const button = message.button
    ? `<p style="margin:24px 0"><a href="${escapeHtml(message.button.link)}" style="background:#1f2a44;color:#ffffff;padding:12px 20px;border-radius:6px;text-decoration:none;display:inline-block">${escapeHtml(message.button.label)}</a></p>`
    : '';
  const code =
    message.code === undefined
      ? ''
      : `<p style="margin:24px 0;font:600 28px/1 monospace;letter-spacing:6px">${escapeHtml(message.code)}</p>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(message.subject)}</title></head>
<body style="margin:0;padding:24px;background:#f4f5f7;color:#1c2230;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:560px;margin:0 auto;background:#ffffff;border-radius:8px;padding:32px">
<p style="margin:0 0 24px;font-weight:600;color:#1f2a44">${escapeHtml(sender.name)}</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${escapeHtml(message.heading)}</h1>
${message.paragraphs.map(paragraph).join('')}${button}${code}${paragraph(message.closing)}
<p style="margin:24px 0 0;font-size:13px;color:#5b6375">${escapeHtml(sender.addressLabel)} · ${escapeHtml(sender.hotline)}</p>
</div></body></html>`;
}

export function layOut(to: string, message: Message, sender: Organisation): Mail {
  return {
    to,
    subject: message.subject,
    text: plain(message, sender),
    html: html(message, sender),
  };
}
