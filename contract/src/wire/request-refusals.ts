// In charge of the refusals that concern the form of a request: its preconditions, its size, its type, its headers, and how many come.

export const requestRefusals = {
  precondition_failed: {
    status: 412,
    title: 'Precondition failed',
    when: '`If-Match` names another revision than the record is at: someone changed it since it was read. Or it holds no `ETag` of ours: one that is weak (`W/`) or without its quotes never matches.',
    action: 'Read it again, repeat the change on what it is now, and send the new `ETag` as it was given.',
  },
  body_too_large: {
    status: 413,
    title: 'Body too large',
    when: 'The body has more than `limit` bytes.',
    action: 'Send less at once. An operator can raise the limit with `ATELIER_BODY_LIMIT`.',
  },
  file_too_large: {
    status: 413,
    title: 'File too large',
    when: 'The file has more than `limit` bytes.',
    action: 'Send a smaller one. An operator can raise the limit with `ATELIER_FILE_LIMIT`.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    when: 'The body is not declared as JSON, or in another `charset` than UTF-8; that of an upload has no media type, or is a form; or either is encoded (`Content-Encoding`, or a `Transfer-Encoding` other than `chunked`).',
    action:
      'Send it with `Content-Type: application/json`; a file as its bytes, with its own `Content-Type`; neither with a `Content-Encoding`.',
  },
  range_not_satisfiable: {
    status: 416,
    title: 'Range not satisfiable',
    when: 'The `Range` begins after the last byte of the file.',
    action: 'Ask for bytes that are there; `Content-Range` says how many.',
  },
  expectation_failed: {
    status: 417,
    title: 'Expectation failed',
    when: '`Expect` asks for something other than `100-continue`.',
    action: 'Leave the header out.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    when: 'A caller, or an address whose caller is not known, sent more requests in a minute than are allowed, or has too many event streams or uploads under way.',
    action:
      'Wait for `Retry-After` seconds. An operator can raise the limits of requests with `ATELIER_RATE_LIMIT` and `ATELIER_ADDRESS_RATE_LIMIT`.',
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    when: 'The address and the headers together are longer than 64 KB.',
    action: 'Send less; most often it is the filter in `query`. The connection is closed.',
  },
} as const
