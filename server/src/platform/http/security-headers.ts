// In charge of the security headers of every response. These headers let a browser do as little as possible with the response.

/**
 * Returns the headers for all responses. This is called once per process, because making them for each response took a tenth of the
 * processor time of a list page. A route that sends more than data (a file, a page of the documentation) sets its own
 * `content-security-policy`, which replaces the one here.
 */
export const securityHeaders = (publicUrl: string | null): Readonly<Record<string, string>> => ({
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  ...(publicUrl?.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0', // `0` turns off the XSS filter of old browsers, which did harm; without this header, the filter is on
})
