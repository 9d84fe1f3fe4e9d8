import { describe } from 'vitest'
import { createDockerRunner } from '../../../src/ci/runners/docker.ts'
import { needs } from '../../helpers/require.ts'
import { isDockerHere } from './at-hand.ts'
import { hostileContract } from './hostile-contract.ts'
import { sandboxContract } from './sandbox-contract.ts'

describe.skipIf(needs('docker', isDockerHere))('docker', () => {
  describe('sandbox', () => sandboxContract((workFolder) => createDockerRunner({ workFolder })))
  describe('hostile code', () => hostileContract((workFolder) => createDockerRunner({ workFolder })))
})
