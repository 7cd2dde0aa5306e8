"""How JupyterLab is started for a learner: its settings, its save hook, its command line.

JupyterLab finds `default_setting_overrides.json` here through JUPYTER_CONFIG_PATH, which names the
folder above; the learner's own settings are neither read nor written.
"""
