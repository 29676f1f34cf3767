"""Validates contrib/kubernetes/job.yaml with the schemas of Kubernetes, and its numbers.

    .interop/venv/bin/python interop/cluster/check_kubernetes.py

Exit 1 if something is wrong, 77 if kubernetes-validate is not installed (part cluster of interop/setup.sh).
"""
import os
import subprocess
import sys

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..'))
PYTHON = os.environ.get('CLUSTER_PYTHON', '.interop/venvcluster/bin/python')
CHECK = '''
import sys
import kubernetes_validate, yaml
for doc in yaml.safe_load_all(open(sys.argv[1])):
    print(doc["kind"], doc["metadata"]["name"], "is valid for", kubernetes_validate.validate(doc, "1.31", strict=True))
    spec = doc["spec"]
    container = spec["template"]["spec"]["containers"][0]
    assert container["args"][-1] == "/%d" % spec["completions"], (container["args"], spec["completions"])
    assert spec["podFailurePolicy"]["rules"][1]["onExitCodes"]["containerName"] == container["name"]
    assert 75 not in spec["podFailurePolicy"]["rules"][1]["onExitCodes"]["values"]
'''
if not os.path.exists(PYTHON) or subprocess.run([PYTHON, '-c', 'import kubernetes_validate'], capture_output=True).returncode:
    print('check_kubernetes: kubernetes-validate is not installed')
    sys.exit(77)
sys.exit(1 if subprocess.run([PYTHON, '-c', CHECK, 'contrib/kubernetes/job.yaml']).returncode else 0)
