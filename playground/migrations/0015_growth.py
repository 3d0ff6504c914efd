from django.db import migrations, models


class Migration(migrations.Migration):
    """The growth of a measured number, which the reveal of a question plays."""

    dependencies = [("playground", "0014_explore")]

    operations = [
        migrations.AddField(
            model_name="study",
            name="watched",
            field=models.CharField(blank=True, default="", max_length=100),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="studyrun",
            name="grown",
            field=models.JSONField(blank=True, null=True),
        ),
    ]
