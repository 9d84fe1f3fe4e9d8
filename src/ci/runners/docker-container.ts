import { isAbsolute } from 'node:path'
import type Docker from 'dockerode'
import { LABEL } from './docker-client.ts'
import { HOME_INSIDE, IO_INSIDE, type SandboxSpec, TOOLS_INSIDE } from './port.ts'
import { CORE_BYTES, openFiles } from './process-limits.ts'
import { HOST_INSIDE } from './root-folder.ts'
import { SHM_BYTES } from './step-command.ts'

/** The user of the container's first process: not the sandbox's, which therefore can neither kill nor change it. */
const KEEPER_UID = 65_534
/** Waits for ever, and buries processes whose parents have died. */
const KEEPER = ['/bin/bash', '--noprofile', '--norc', '-c', 'read -r _ || exec sleep infinity']

/** Where home and /tmp come from: folders of the host, or volumes of the daemon. */
export interface AreaSources {
  readonly home: string
  readonly tmp: string
}

/** Without it the daemon would give an empty volume the image's folder, owner included. */
const OWN_CONTENT: Docker.MountSettings['VolumeOptions'] = {
  NoCopy: true,
  Labels: {},
  DriverConfig: { Name: 'local', Options: {} },
}

/** Everything that a leg's container is; nothing of it depends on what will run in it. */
export function containerOptions(
  spec: SandboxSpec,
  tag: string,
  image: string,
  area: AreaSources,
): Docker.ContainerCreateOptions {
  const bytes = spec.limits.memoryMiB * 1024 * 1024
  const bind = (Source: string, Target: string, ReadOnly: boolean): Docker.MountSettings =>
    isAbsolute(Source)
      ? { Type: 'bind', Source, Target, ReadOnly }
      : { Type: 'volume', Source, Target, ReadOnly, VolumeOptions: OWN_CONTENT }
  return {
    name: tag,
    Image: image,
    Labels: { [LABEL]: tag },
    Cmd: KEEPER,
    User: `${KEEPER_UID}:${KEEPER_UID}`,
    Env: [],
    Hostname: HOST_INSIDE,
    // Its input never comes and never ends.
    OpenStdin: true,
    HostConfig: {
      NetworkMode: 'none',
      ReadonlyRootfs: true,
      Memory: bytes,
      MemorySwap: bytes,
      PidsLimit: spec.limits.pids,
      CpuPeriod: 100_000,
      CpuQuota: Math.round(spec.limits.cpus * 100_000),
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges'],
      ShmSize: SHM_BYTES,
      // An empty one in place of the host's hardware and kernel settings.
      Tmpfs: { '/sys': 'ro,size=4k,mode=555' },
      LogConfig: { Type: 'none', Config: {} },
      Ulimits: [
        { Name: 'core', Soft: CORE_BYTES, Hard: CORE_BYTES },
        { Name: 'nofile', Soft: openFiles(), Hard: openFiles() },
      ],
      Mounts: [
        ...spec.toolchains.binds.map(({ host, inside }) => bind(host, inside, true)),
        bind(spec.tools, TOOLS_INSIDE, true),
        bind(spec.io, IO_INSIDE, false),
        bind(area.home, HOME_INSIDE, false),
        bind(area.tmp, '/tmp', false),
      ],
    },
  }
}
