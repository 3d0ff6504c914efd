from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("playground", "0007_gallery_runs"),
    ]

    operations = [
        migrations.AddField(
            model_name="study",
            name="core_version",
            # The first version made all earlier studies.
            field=models.CharField(default="0.1.0", max_length=32),
            preserve_default=False,
        ),
    ]
