// In charge of looking for a real S3 server to test on: Ceph's gateway and what it needs.
import { existsSync } from 'node:fs'

export const findS3 = (): boolean =>
  ['radosgw', 'radosgw-admin', 'ceph', 'ceph-mon', 'ceph-osd', 'monmaptool'].every((program) =>
    existsSync(`/usr/bin/${program}`),
  )
